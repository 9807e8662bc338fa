/* bench_stage.c: every stage of a training against what this machine could do at best.
 *
 *     bench_stage [REPEATS [n [m [THREADS]]]]      prints stage,size,seconds,bound,bound_seconds,fraction
 *
 * n rows of INPUTS inputs, m landmarks, one output. A stage and its bound run by turns in the same process and the best
 * of each counts; fraction is bound_seconds / seconds, 1 being as fast as the bound. A bound is something bare of the
 * same size: read() of the file, memcpy of the matrix, dgemm, dsyrk, dgemv, or so many operations at dgemm's speed. */
#include <cblas.h>
#include <math.h>

#include "base/threads.h"
#include "linalg/linalg.h"
#include "scale/scale.h"
#include "setup.h"

static ny_status failed; /* the first failure of a stage */

static void must(ny_status st) {
    if (st != NY_OK && failed == NY_OK) failed = st;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static void drop_from_cache(const char *path) {
    int fd = open(path, O_RDONLY);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    close(fd);
}

static double open_file(bench *b, const char *path) {
    ny_data *data = NULL;
    double start = ny_now();
    must(ny_data_open(b->ctx, path, b->options, NULL, &data));
    double seconds = ny_now() - start;
    ny_data_free(data);
    return seconds;
}

static double read_csv(bench *b) {
    return open_file(b, b->csv);
}
static double read_npy(bench *b) {
    return open_file(b, b->npy);
}
static double read_npy_cold(bench *b) {
    drop_from_cache(b->npy);
    return open_file(b, b->npy);
}

static int64_t separators;

static void count_separators(const char *text, ssize_t size) {
    int64_t found = 0;
    for (ssize_t i = 0; i < size; i++) found += (text[i] == ',') | (text[i] == '\n');
    separators += found;
}

static double bare_csv(bench *b) {
    return read_bare(b->csv, NULL);
}
static double pass_csv(bench *b) {
    return read_bare(b->csv, count_separators);
}
static double bare_npy(bench *b) {
    return read_bare(b->npy, NULL);
}
static double bare_npy_cold(bench *b) {
    drop_from_cache(b->npy);
    return read_bare(b->npy, NULL);
}

/* ---- scaling, kernel, factor ----------------------------------------------------------------------------------- */

static double scale(bench *b) {
    double shift[INPUTS], factor[INPUTS];
    ny_matrix X = {0};
    double start = ny_now();
    must(ny_matrix_copy(b->ctx, &b->X, &X));
    must(ny_scale_fit(b->ctx, &ny_scale_standard, &X, NULL, X.n, &(ny_scaling){.shift = shift, .factor = factor}));
    ny_scale_apply(shift, factor, &X);
    double seconds = ny_now() - start;
    ny_matrix_clear(&X);
    return seconds;
}

static double copy_inputs(bench *b) {
    ny_matrix X = {0};
    double start = ny_now();
    must(ny_matrix_copy(b->ctx, &b->X, &X));
    double seconds = ny_now() - start;
    ny_matrix_clear(&X);
    return seconds;
}

static double kernel_tiles(bench *b) {
    ny_matrix Z = b->X;
    Z.n = b->m;
    ny_kernel_side x = {0}, z = {0};
    double start = ny_now();
    must(ny_kernel_prepare(b->ctx, &b->X, false, &x));
    must(ny_kernel_prepare(b->ctx, &Z, true, &z));
    ny_kernel_matrix(&b->kernel, &z, &x, false, b->Psi, b->m);
    double seconds = ny_now() - start;
    ny_kernel_release(&x);
    ny_kernel_release(&z);
    return seconds;
}

static double gemm_inputs(bench *b) {
    double start = ny_now();
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)b->m, (int)b->n, INPUTS, 1.0, b->X.x, INPUTS, b->X.x,
                INPUTS, 0.0, b->Psi, (int)b->m);
    return ny_now() - start;
}

static double make_factor(bench *b, const ny_landmark_method *method) {
    ny_factor f = {0};
    ny_factor_spec spec = {.method = method, .landmarks = b->m, .tol = 1e-10, .seed = 1};
    double start = ny_now();
    must(ny_factor_make(b->ctx, &b->kernel, &b->X, &spec, &f));
    double seconds = ny_now() - start;
    ny_factor_clear(&f);
    return seconds;
}

static double factor_uniform(bench *b) {
    return make_factor(b, &ny_landmark_uniform);
}
static double factor_rpcholesky(bench *b) {
    return make_factor(b, &ny_landmark_rpcholesky);
}

/* ---- ridge system ---------------------------------------------------------------------------------------------- */

static double gram(bench *b) {
    ny_moments moments = {0};
    must(ny_moments_new(b->ctx, b->r, 1, &moments));
    double start = ny_now();
    ny_moments_of(&b->P, 0, b->n, &moments);
    double seconds = ny_now() - start;
    ny_moments_free(&moments);
    return seconds;
}

static double syrk(bench *b) {
    double start = ny_now();
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)b->r, (int)b->n, 1.0, b->factor.G, (int)b->r, 0.0, b->Q,
                (int)b->r);
    return ny_now() - start;
}

/* So many operations at the speed that dgemm has on r x r matrices. */
static double at_gemm_speed(bench *b, double operations) {
    double start = ny_now();
    int r = (int)b->r;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, r, r, r, 1.0, b->A, r, b->A, r, 0.0, b->Q, r);
    return (ny_now() - start) * operations / (2.0 * r * r * r);
}

static double decompose(bench *b) {
    memcpy(b->Q, b->A, (size_t)(b->r * b->r) * sizeof *b->Q);
    double start = ny_now();
    must(ny_tridiag(b->ctx, b->r, b->Q, b->r, b->diag, b->off, b->tau));
    must(ny_tridiag_q(b->ctx, b->r, b->Q, b->r, b->tau));
    return ny_now() - start;
}

/* Reduction and Q take 4/3 r^3 each. */
static double decompose_gemm(bench *b) {
    return at_gemm_speed(b, 8.0 / 3 * (double)b->r * (double)b->r * (double)b->r);
}

static double dsyevd(bench *b) {
    memcpy(b->Q, b->A, (size_t)(b->r * b->r) * sizeof *b->Q);
    double start = ny_now();
    must(ny_eig(b->ctx, b->r, b->Q, b->r, b->diag));
    return ny_now() - start;
}

/* Gram matrix, decomposition and Psi = Q'G, which overwrites G: all that is done once for every C. */
static double prepare(bench *b) {
    memcpy(b->Psi, b->factor.G, (size_t)(b->r * b->n) * sizeof *b->Psi);
    ny_spectral_free(b->spectral);
    b->spectral = NULL;
    b->P.G = b->Psi;
    double start = ny_now();
    must(ny_spectral_new(b->ctx, &b->P, &b->spectral));
    return ny_now() - start;
}

static double prepare_gemm(bench *b) {
    double start = ny_now();
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)b->r, (int)b->n, (int)b->r, 1.0, b->A, (int)b->r,
                b->factor.G, (int)b->r, 0.0, b->Psi, (int)b->r);
    return ny_now() - start + syrk(b) + decompose_gemm(b);
}

static double loo(bench *b, int64_t values) {
    double C[VALUES];
    for (int64_t c = 0; c < values; c++) C[c] = exp2((double)c);
    ny_C_list list = {values, false, C};
    double start = ny_now();
    must(ny_spectral_form.held(b->ctx, b->spectral, &list, b->F));
    return ny_now() - start;
}

static double loo_one(bench *b) {
    return loo(b, 1);
}
static double loo_many(bench *b) {
    return loo(b, VALUES);
}

static double gemv(bench *b) {
    double start = ny_now();
    cblas_dgemv(CblasColMajor, CblasTrans, (int)b->r, (int)b->n, 1.0, b->Psi, (int)b->r, b->diag, 1, 0.0, b->F, 1);
    return ny_now() - start;
}

static double gemv_many(bench *b) {
    return VALUES * gemv(b);
}

/* ---- the model ------------------------------------------------------------------------------------------------- */

static double predict(bench *b) {
    double start = ny_now();
    must(ny_predict(b->ctx, b->model, b->data, NULL, b->value, NULL, NULL));
    return ny_now() - start;
}

static double save(bench *b) {
    double start = ny_now();
    must(ny_model_save(b->ctx, b->model, b->saved));
    return ny_now() - start;
}

static double write_bare(bench *b) {
    double start = ny_now();
    int fd = open(b->bare_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (write(fd, b->bytes, (size_t)b->model_bytes) != b->model_bytes) must(NY_ERR_FILE);
    close(fd);
    return ny_now() - start;
}

static double load(bench *b) {
    ny_model *model = NULL;
    double start = ny_now();
    must(ny_model_load(b->ctx, b->saved, &model));
    double seconds = ny_now() - start;
    ny_model_free(model);
    return seconds;
}

static double bare_model(bench *b) {
    return read_bare(b->saved, NULL);
}

/* ---- all of them ----------------------------------------------------------------------------------------------- */

typedef enum { ROWS, CSV, NPY, FACTOR, SQUARE, MODEL } size_kind;

/* In the order of a training; `prepare` leaves Psi for leave-one-out. */
static const struct {
    const char *name;
    size_kind size;
    double (*run)(bench *);
    const char *bound;
    double (*bare)(bench *);
} stages[] = {
    {"read CSV", CSV, read_csv, "read()", bare_csv},
    {"read CSV", CSV, read_csv, "read() and a pass over the bytes", pass_csv},
    {"read .npy", NPY, read_npy, "read()", bare_npy},
    {"read .npy, not cached", NPY, read_npy_cold, "read() from the disk", bare_npy_cold},
    {"copy and scale", ROWS, scale, "copy", copy_inputs},
    {"kernel tiles, rbf", FACTOR, kernel_tiles, "dgemm", gemm_inputs},
    {"landmarks and factor, uniform", FACTOR, factor_uniform, "dsyrk (n m^2)", syrk},
    {"landmarks and factor, rpcholesky", FACTOR, factor_rpcholesky, "dsyrk (n m^2)", syrk},
    {"Gram matrix and moments", FACTOR, gram, "dsyrk", syrk},
    {"decomposition for all C", SQUARE, decompose, "8/3 m^3 at dgemm's speed", decompose_gemm},
    {"decomposition for all C", SQUARE, decompose, "dsyevd", dsyevd},
    {"Gram matrix, decomposition, rotation", FACTOR, prepare, "dsyrk, dgemm, 8/3 m^3", prepare_gemm},
    {"leave-one-out, 1 C", FACTOR, loo_one, "dgemv", gemv},
    {"leave-one-out, 10 C", FACTOR, loo_many, "10 dgemv", gemv_many},
    {"prediction", FACTOR, predict, "dgemm", gemm_inputs},
    {"save the model", MODEL, save, "write()", write_bare},
    {"load the model", MODEL, load, "read()", bare_model},
};

static void print_size(const bench *b, size_kind kind) {
    switch (kind) {
        case ROWS:
            printf("%" PRId64 " x %d", b->n, INPUTS);
            break;
        case CSV:
            printf("%.1f MB", (double)b->csv_bytes / 1e6);
            break;
        case NPY:
            printf("%.1f MB", (double)b->npy_bytes / 1e6);
            break;
        case FACTOR:
            printf("%" PRId64 " x %" PRId64, b->n, b->m);
            break;
        case SQUARE:
            printf("%" PRId64, b->r);
            break;
        case MODEL:
            printf("%.1f MB", (double)b->model_bytes / 1e6);
            break;
    }
}

static void measure(bench *b, int repeats) {
    for (size_t k = 0; k < sizeof stages / sizeof *stages && failed == NY_OK; k++) {
        double ours = INFINITY, bare = INFINITY;
        for (int i = 0; i <= repeats; i++) { /* the first round only warms up */
            double there = stages[k].bare(b), here = stages[k].run(b);
            if (i == 0) continue;
            ours = fmin(ours, here);
            bare = fmin(bare, there);
        }
        printf("\"%s\",", stages[k].name);
        print_size(b, stages[k].size);
        printf(",%.6f,\"%s\",%.6f,%.3f\n", ours, stages[k].bound, bare, bare / ours);
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    int repeats = argc > 1 ? atoi(argv[1]) : 5;
    bench b = {.n = argc > 2 ? atol(argv[2]) : 50000, .m = argc > 3 ? atol(argv[3]) : 1000};
    const char *threads = argc > 4 ? argv[4] : "0", *where = getenv("TMPDIR");
    char folder[48];
    snprintf(folder, sizeof folder, "%s/ny_stage_XXXXXX", where && strlen(where) < 20 ? where : "/tmp");
    if (!mkdtemp(folder)) return 1;
    b.ctx = ny_ctx_new();
    b.options = ny_options_new(b.ctx);
    ny_threads_set(atoi(threads));
    ny_blas_prepare();
    must(ny_options_set(b.ctx, b.options, "threads", threads));
    must(make_data(&b, folder));
    if (failed == NY_OK) must(make_matrices(&b));
    if (failed == NY_OK) must(make_model(&b));
    printf("stage,size,seconds,bound,bound_seconds,fraction\n");
    measure(&b, repeats);
    if (failed != NY_OK) fprintf(stderr, "bench_stage: %s\n", ny_message(b.ctx));
    clear(&b);
    rmdir(folder);
    ny_ctx_free(b.ctx);
    return failed != NY_OK;
}
