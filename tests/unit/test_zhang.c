/* test_zhang.c: --bandwidth zhang: the number, in every way that rows come, and that it is then a given bandwidth. */
#include <math.h>
#include <unistd.h>

#include "model/record.h"
#include "with_ctx.h"

enum { N = 90, D = 12 };

static double x[D * N], y[N], weight[N];

/* Far from the origin, so that a difference of squares would lose its digits; some weights 0. sparse: most inputs 0. */
static void fill(double offset, bool sparse) {
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 0);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) x[j + i * D] = sparse && (i + j) % 6 ? 0 : offset + (j + 1) * ny_rng_normal(&rng);
        y[i] = sin(x[i * D] - offset) + 0.1 * ny_rng_normal(&rng);
        weight[i] = i % 11 == 0 ? 0 : 0.5 + ny_rng_uniform(&rng);
    }
}

static char *write_rows(bool sparse) {
    char *text = malloc(N * 400), *at = text;
    if (!sparse) at += sprintf(at, "a,b,c,d,e,f,g,h,i,j,k,l,w,target\n");
    for (int i = 0; i < N; i++) {
        if (sparse) at += sprintf(at, "%.17g", y[i]);
        for (int j = 0; j < D; j++)
            if (!sparse) at += sprintf(at, "%.17g,", x[j + i * D]);
            else if (x[j + i * D] != 0) at += sprintf(at, " %d:%.17g", j + 1, x[j + i * D]);
        at += sparse ? sprintf(at, "\n") : sprintf(at, "%.17g,%.17g\n", weight[i], y[i]);
    }
    char *file = write_file(sparse ? ".svm" : ".csv", text, -1);
    free(text);
    return file;
}

/* sigma^2 = sum_ab v_a v_b |x_a - x_b|^2 / (2 V^2), in the model's own scale. */
static double from_pairs(const ny_model *m, bool weighted) {
    double sum = 0, V = 0;
    for (int a = 0; a < N; a++) {
        double va = weighted ? weight[a] : 1;
        V += va;
        for (int b = 0; b < N; b++)
            for (int j = 0; j < D; j++)
                sum += va * (weighted ? weight[b] : 1) * pow(m->factor[j] * (x[j + a * D] - x[j + b * D]), 2);
    }
    return sqrt(sum / 2) / V;
}

static ny_model *train_file(const char *file, ny_options *o) {
    ny_data *data = NULL;
    must(ctx, ny_data_read(ctx, file, o, NULL, &data));
    ny_model *m = train_with_options(ctx, data, o);
    ny_data_free(data);
    return m;
}

static void test_the_number(void **state) {
    (void)state;
    static const char *const scales[] = {"standard", "range", "none"}, *const streams[] = {"no", "yes"};
    for (int k = 0; k < 12; k++) {
        bool sparse = k / 3 % 2, stream = k / 6;
        fill(sparse ? 3 : 1e6, sparse);
        char *file = write_rows(sparse);
        ny_options *o =
            make_options(ctx, "task", "regression", "kernel", "rbf", "bandwidth", "zhang", "landmarks", "20", "C", "1",
                         "folds", "3", "scale", scales[k % 3], "stream", streams[stream], NULL);
        if (!sparse) must(ctx, ny_options_set(ctx, o, "weight-column", "w"));
        ny_model *m = train_file(file, o);
        assert_int_equal(ny_matrix_is_sparse(&m->f.Z), sparse);
        assert_close(m->f.kernel.bandwidth, from_pairs(m, !sparse), 1e-9);
        assert_string_equal(ny_options_get(m->options, "bandwidth"), "zhang");
        for (int64_t i = 0; i < m->record->evaluations; i++)
            assert_true(m->record->evaluation[i].bandwidth == m->f.kernel.bandwidth);
        ny_model_free(m);
        unlink(file);
        free(file);
    }
}

/* The same model as with the number given, whatever kernel and search. */
static void test_it_is_a_given_bandwidth(void **state) {
    (void)state;
    static const char *const kernels[] = {"rbf", "poly", "laplace", "auto"}, *const searches[] = {"profile", "grid",
                                                                                                  "csa", "none"};
    fill(0, false);
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, N, D, x, y, &data));
    char text[40] = ""; /* the number, from the first model: it is that of the rows, whatever is made of them */
    for (int k = 0; k < 17; k++) {
        const char *kernel = kernels[k % 4], *search = searches[k / 4 % 4], *ard = k == 16 ? "yes" : "no";
        bool csa = strcmp(search, "csa") == 0;
        double a[N], b[N];
        ny_model *m[2];
        for (int i = 0; i < 2; i++) {
            m[i] =
                train_with_options(ctx, data,
                                   make_options(ctx, "kernel", k == 16 ? "rbf" : kernel, "search", search, "landmarks",
                                                "20", "bandwidth", i ? text : "zhang", "ard", ard, "csa-evaluations",
                                                csa ? "8" : NULL, "simplex-evaluations", csa ? "4" : NULL, NULL));
            if (!text[0]) snprintf(text, sizeof text, "%.17g", m[0]->f.kernel.bandwidth);
            must(ctx, ny_predict(ctx, m[i], data, NULL, i ? b : a, NULL, NULL));
        }
        for (int i = 0; i < N; i++) assert_close(a[i], b[i], 1e-12);
        assert_ptr_equal(m[0]->f.kernel.kernel, m[1]->f.kernel.kernel);
        if (m[0]->f.kernel.kernel->has_bandwidth) assert_true(m[0]->f.kernel.bandwidth == strtod(text, NULL));
        ny_model_free(m[0]);
        ny_model_free(m[1]);
    }
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_number),
        cmocka_unit_test(test_it_is_a_given_bandwidth),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
