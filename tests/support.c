/* support.c: see support.h. */
#include "support.h"

#include <math.h>
#include <unistd.h>

#include "base/threads.h"
#include "model/record.h"

/* As in a training: tests call parts of it. Without a crew OpenBLAS would start its own threads for every small
 * product. What tests write goes below the build folder, wherever they are called from. */
__attribute__((constructor)) static void prepare_process(void) {
    ny_threads_set(0);
    if (chdir(NY_TEST_FOLDER) != 0) abort();
}

/* At the end of every test program nothing may be left. (A teardown of cmocka that fails does not make the program
 * fail.) */
__attribute__((destructor)) static void look_for_leaks(void) {
    if (ny_alloc_live() == 0) return;
    fflush(stdout);
    fprintf(stderr, "%lld blocks of memory were not freed\n", (long long)ny_alloc_live());
    _exit(EXIT_FAILURE);
}

char *write_file(const char *suffix, const void *content, long size) {
    char name[256];
    snprintf(name, sizeof name, "ny_test_XXXXXX%s", suffix);
    int fd = mkstemps(name, (int)strlen(suffix));
    assert_true(fd >= 0);
    size_t bytes = size < 0 ? strlen(content) : (size_t)size;
    assert_int_equal(write(fd, content, bytes), (ssize_t)bytes);
    close(fd);
    return strdup(name);
}

void must(ny_ctx *ctx, ny_status st) {
    if (st != NY_OK) fail_msg("status %d (%s): %s", (int)st, ny_status_text(st), ny_message(ctx));
}

int64_t small_step(int64_t step) {
    const char *small = getenv("NY_TEST_SMALL");
    return small && *small ? step : 1;
}

ny_options *make_options(ny_ctx *ctx, ...) {
    ny_options *options = ny_options_new(ctx);
    assert_non_null(options);
    va_list args;
    va_start(args, ctx);
    for (const char *name; (name = va_arg(args, const char *));) {
        const char *value = va_arg(args, const char *);
        if (value) must(ctx, ny_options_set(ctx, options, name, value));
    }
    va_end(args);
    return options;
}

void set_machine(ny_ctx *ctx, ny_options *options, const char *machine) {
    char name[32];
    const char *bias = strchr(machine, ':');
    snprintf(name, sizeof name, "%.*s", (int)strcspn(machine, ":"), machine);
    must(ctx, ny_options_set(ctx, options, "machine", name));
    if (!bias) return;
    bool none = strcmp(bias, ":none") == 0;
    must(ctx, ny_options_set(ctx, options, "bias", none ? "none" : "penalised"));
    if (!none) must(ctx, ny_options_set(ctx, options, "bias-penalty", bias + 1));
}

double rho_of(const char *machine) {
    const char *bias = strchr(machine, ':');
    if (!bias) return strcmp(machine, "krr") == 0 ? INFINITY : 0;
    return strcmp(bias, ":none") == 0 ? INFINITY : strtod(bias + 1, NULL);
}

void assert_close_at(double a, double b, double tol, const char *what, const char *file, int line) {
    if (!(fabs(a - b) <= tol * (1 + fabs(b)))) {
        print_error("%s: %.17g, expected %.17g (off by %.3g)\n", what, a, b, fabs(a - b));
        _fail(file, line);
    }
}

void dense_solve(int64_t n, int64_t nrhs, double *A, double *y) {
    for (int64_t k = 0; k < n; k++) {
        int64_t p = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(A[i + k * n]) > fabs(A[p + k * n])) p = i;
        for (int64_t j = 0; j < n; j++) {
            double t = A[k + j * n];
            A[k + j * n] = A[p + j * n];
            A[p + j * n] = t;
        }
        for (int64_t c = 0; c < nrhs; c++) {
            double t = y[k + c * n];
            y[k + c * n] = y[p + c * n];
            y[p + c * n] = t;
        }
        for (int64_t i = k + 1; i < n; i++) {
            double f = A[i + k * n] / A[k + k * n];
            if (f == 0) continue;
            for (int64_t j = k; j < n; j++) A[i + j * n] -= f * A[k + j * n];
            for (int64_t c = 0; c < nrhs; c++) y[i + c * n] -= f * y[k + c * n];
        }
    }
    for (int64_t c = 0; c < nrhs; c++)
        for (int64_t i = n - 1; i >= 0; i--) {
            for (int64_t j = i + 1; j < n; j++) y[i + c * n] -= A[i + j * n] * y[j + c * n];
            y[i + c * n] /= A[i + i * n];
        }
}

void dense_eigen(int64_t n, double *A, double *Q) {
    for (int64_t i = 0; i < n * n; i++) Q[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < 60; sweep++)
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                if (fabs(A[p + q * n]) < 1e-300) continue;
                double theta = (A[q + q * n] - A[p + p * n]) / (2 * A[p + q * n]);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int64_t k = 0; k < n; k++) {
                    double x = A[k + p * n], y = A[k + q * n];
                    A[k + p * n] = c * x - s * y;
                    A[k + q * n] = s * x + c * y;
                }
                for (int64_t k = 0; k < n; k++) {
                    double x = A[p + k * n], y = A[q + k * n];
                    A[p + k * n] = c * x - s * y;
                    A[q + k * n] = s * x + c * y;
                    x = Q[k + p * n], y = Q[k + q * n];
                    Q[k + p * n] = c * x - s * y;
                    Q[k + q * n] = s * x + c * y;
                }
            }
}

ny_model *train_with_options(ny_ctx *ctx, const ny_data *data, ny_options *options) {
    ny_model *model = NULL;
    must(ctx, ny_train(ctx, data, options, &model));
    ny_options_free(options);
    return model;
}

bool has_note(const ny_model *model, const char *words) {
    for (int64_t i = 0; i < model->record->notes; i++)
        if (strstr(model->record->note[i], words)) return true;
    return false;
}
