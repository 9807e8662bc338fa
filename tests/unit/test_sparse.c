/* test_sparse.c: libsvm text stays sparse from the file to the model and the predictions, and says the same as the same
 * numbers in dense form. (tests/cli/sparse_memory.sh holds the memory of a large case against its non-zeros.) */
#include <math.h>
#include <unistd.h>

#include "criterion/criterion.h"
#include "kernel/kernel.h"
#include "model/record.h"
#include "support.h"

enum { N = 200, D = 300, PER_ROW = 15 }; /* 5% of the entries */

static ny_ctx *ctx;
static double x[N * D]; /* the dense form */
static const char *label[N];
static char *path; /* the sparse one */
static ny_data *sparse, *dense;

/* Text of n rows with `per_row` distinct non-negative entries among d inputs. Class 1 draws four of five from the first
 * half of the inputs, class -1 from the second. `out` (n x d, or NULL) gets the numbers too. */
static char *make_text(int64_t n, int64_t d, int per_row, double *out, const char **labels) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    double *row = calloc((size_t)d, sizeof *row);
    ny_rng rng = ny_rng_make(11, NY_RNG_TEST, 0);
    for (int64_t i = 0; i < n; i++) {
        bool plus = ny_rng_below(&rng, 2) == 1;
        memset(row, 0, (size_t)d * sizeof *row);
        for (int k = 0; k < per_row;) {
            bool first_half = (ny_rng_below(&rng, 5) > 0) == plus;
            double u = ny_rng_uniform(&rng); /* few inputs are frequent, most are rare, as words are */
            int64_t j = (int64_t)(u * u * u * u * (double)(d / 2)) + (first_half ? 0 : d / 2);
            if (row[j] == 0) row[j] = (double)(1 + ny_rng_below(&rng, 1000)) / 256, k++; /* exact in text */
        }
        fputs(plus ? "1" : "-1", file);
        for (int64_t j = 0; j < d; j++)
            if (row[j] > 0) fprintf(file, " %lld:%.10g", (long long)j + 1, row[j]);
        fputc('\n', file);
        if (out) memcpy(out + i * d, row, (size_t)d * sizeof *row);
        if (labels) labels[i] = plus ? "1" : "-1";
    }
    fclose(file);
    free(row);
    return text;
}

static int setup(void **state) {
    (void)state;
    if (!(ctx = ny_ctx_new())) return -1;
    char *text = make_text(N, D, PER_ROW, x, label);
    path = write_file(".svm", text, -1);
    free(text);
    ny_options *options = make_options(ctx, NULL);
    must(ctx, ny_data_read(ctx, path, options, NULL, &sparse));
    must(ctx, ny_data_from_labels(ctx, N, D, x, label, &dense));
    ny_options_free(options);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    ny_data_free(sparse);
    ny_data_free(dense);
    ny_ctx_free(ctx);
    unlink(path);
    free(path);
    return 0;
}

static ny_model *train(const ny_data *data, const ny_options *options) {
    ny_model *model = NULL;
    must(ctx, ny_train(ctx, data, options, &model));
    return model;
}

/* Largest difference between the scores of two models, each on its own data. */
static double difference(const ny_model *a, const ny_data *a_data, const ny_model *b, const ny_data *b_data) {
    static double fa[N], fb[N];
    double most = 0;
    must(ctx, ny_predict(ctx, a, a_data, NULL, NULL, NULL, fa));
    must(ctx, ny_predict(ctx, b, b_data, NULL, NULL, NULL, fb));
    for (int i = 0; i < N; i++) {
        assert_true(isfinite(fa[i]) && isfinite(fb[i]));
        most = fmax(most, fabs(fa[i] - fb[i]));
    }
    return most;
}

static void the_same_numbers(void **state) {
    (void)state;
    assert_true(ny_matrix_is_sparse(&sparse->X));
    assert_false(ny_matrix_is_sparse(&dense->X));
    assert_int_equal(sparse->X.n, N);
    assert_int_equal(sparse->X.d, D);
    for (int64_t i = 0, e = 0; i < N; i++) {
        assert_int_equal(sparse->X.ptr[i], e);
        for (int64_t j = 0; j < D; j++)
            if (x[i * D + j] != 0) {
                assert_int_equal(sparse->X.idx[e], j);
                assert_true(sparse->X.val[e++] == x[i * D + j]);
            }
        assert_int_equal(sparse->X.ptr[i + 1], e);
    }
}

/* Scale none: nothing differs but the way inner products are added up. */
static void unscaled(void **state) {
    (void)state;
    const char *const landmarks[] = {"all", "40"};
    const char *kernel, *criterion, *method;
    for (int64_t k = 0; (kernel = ny_family_member("kernel", k, NULL)); k++)
        for (int m = 0; m < 2; m++) {
            ny_options *options = make_options(
                ctx, "scale", "none", "kernel", kernel, "landmarks", landmarks[m], "landmark-method", "uniform",
                "bandwidth", strcmp(kernel, "linear") == 0 ? NULL : "8", "C", "2", "threads", "1", NULL);
            ny_model *a = train(sparse, options), *b = train(dense, options);
            assert_true(ny_matrix_is_sparse(&a->f.Z) && !ny_matrix_is_sparse(&b->f.Z));
            double same = difference(a, sparse, b, dense), crossed = difference(a, dense, b, sparse);
            if (!(same < 1e-10 && crossed < 1e-10))
                fail_msg("%s, %s landmarks: scores differ by %g and %g", kernel, landmarks[m], same, crossed);
            ny_model_free(a);
            ny_model_free(b);
            ny_options_free(options);
        }
    for (int64_t c = 0; (criterion = ny_family_member("criterion", c, NULL)); c++)
        for (int64_t l = 0; (method = ny_family_member("landmark-method", l, NULL)); l++) {
            ny_options *options =
                make_options(ctx, "scale", "none", "kernel", "rbf", "landmarks", "40", "landmark-method", method,
                             "criterion", criterion, "machine", ny_criterion_find(criterion)->only ? "l2svm" : "lssvm",
                             "bandwidth", "8", "C", "2", "threads", "1", NULL);
            ny_model *a = train(sparse, options), *b = train(dense, options);
            double gap = difference(a, sparse, b, dense);
            if (!(gap < 1e-10)) fail_msg("%s, %s: scores differ by %g", criterion, method, gap);
            assert_close(a->record->expected.value, b->record->expected.value, 1e-10);
            ny_model_free(a);
            ny_model_free(b);
            ny_options_free(options);
        }
}

/* Scale range of data that begin at 0: dense inputs go to [-1, 1], sparse ones to [0, 1], so half the bandwidth is the
 * same machine. */
static void scaled_by_range(void **state) {
    (void)state;
    const char *kernel;
    for (int64_t k = 0; (kernel = ny_family_member("kernel", k, NULL)); k++) {
        if (ny_kernel_find(kernel)->base == NY_BASE_DOT) continue; /* the shift changes an inner product */
        ny_options *options = make_options(ctx, "scale", "range", "kernel", kernel, "landmarks", "all", "bandwidth",
                                           "4", "C", "2", "threads", "1", NULL);
        ny_model *b = train(dense, options);
        must(ctx, ny_options_set(ctx, options, "bandwidth", "2"));
        ny_model *a = train(sparse, options);
        double same = difference(a, sparse, b, dense), crossed = difference(a, dense, b, sparse);
        if (!(same < 1e-10 && crossed < 1e-10)) fail_msg("%s: scores differ by %g and %g", kernel, same, crossed);
        ny_model_free(a);
        ny_model_free(b);
        ny_options_free(options);
    }
}

/* The whole selection: the same choice, and nearly the same scores. */
static void selected(void **state) {
    (void)state;
    ny_options *options = make_options(ctx, "scale", "none", "kernel", "rbf", "landmarks", "all", "threads", "1", NULL);
    ny_model *a = train(sparse, options), *b = train(dense, options);
    assert_close(a->f.kernel.bandwidth, b->f.kernel.bandwidth, 1e-9);
    assert_close(a->C[0], b->C[0], 1e-9);
    assert_true(difference(a, sparse, b, dense) < 1e-6);
    assert_true(a->record->expected.error < 0.3);
    ny_model_free(a);
    ny_model_free(b);
    ny_options_free(options);
}

/* A fifth of the entries or more is kept dense: the form is a matter of speed only. */
static void rather_full(void **state) {
    (void)state;
    enum { D2 = 40, FULL = 12 };
    static double x2[N * D2];
    const char *labels[N];
    char *text = make_text(N, D2, FULL, x2, labels), *file = write_file(".svm", text, -1);
    ny_options *options =
        make_options(ctx, "scale", "none", "kernel", "rbf", "bandwidth", "4", "C", "1", "threads", "1", NULL);
    ny_data *read = NULL, *rows = NULL;
    must(ctx, ny_data_read(ctx, file, options, NULL, &read));
    must(ctx, ny_data_from_labels(ctx, N, D2, x2, labels, &rows));
    assert_false(ny_matrix_is_sparse(&read->X));
    ny_model *a = train(read, options), *b = train(rows, options);
    assert_true(difference(a, read, b, rows) < 1e-12);
    ny_model_free(a);
    ny_model_free(b);
    ny_data_free(read);
    ny_data_free(rows);
    ny_options_free(options);
    unlink(file);
    free(file);
    free(text);
}

/* Rows without entries, inputs beyond the model's, and zeros written out. */
static void odd_rows(void **state) {
    (void)state;
    char *file = write_file(".svm", "1\n-1 1:0 2:0\n1 3:1.5\n-1 3:1.5 301:7 999999:1\n", -1);
    ny_options *options = make_options(ctx, "kernel", "rbf", "bandwidth", "8", "C", "2", "threads", "1", NULL);
    ny_model *model = train(sparse, options);
    ny_data *data = NULL;
    double score[4];
    must(ctx, ny_data_read(ctx, file, options, model, &data));
    assert_int_equal(ny_data_rows(data), 4);
    assert_int_equal(ny_data_inputs(data), D);
    assert_int_equal(data->unseen, 2);
    must(ctx, ny_predict(ctx, model, data, NULL, NULL, NULL, score));
    assert_true(isfinite(score[0]) && score[0] == score[1] && score[2] == score[3] && score[0] != score[2]);
    ny_data_free(data);
    ny_model_free(model);
    ny_options_free(options);
    unlink(file);
    free(file);
}

/* 2,000 x 20,000 at 0.1%: 320 MB if it were dense. */
static void large(void **state) {
    (void)state;
    enum { ROWS = 2000, INPUTS = 20000, ENTRIES = 20 };
    char *text = make_text(ROWS, INPUTS, ENTRIES, NULL, NULL), *file = write_file(".svm", text, -1);
    free(text);
    ny_options *options =
        make_options(ctx, "kernel", "rbf", "landmarks", "150", "bandwidth", "1:9:2", "threads", "1", NULL);
    ny_data *data = NULL, *again = NULL;
    ny_model *loaded = NULL;
    double *before = calloc(2 * ROWS, sizeof *before), *after = before + ROWS;
    must(ctx, ny_data_read(ctx, file, options, NULL, &data));
    assert_true(ny_matrix_is_sparse(&data->X));
    assert_int_equal(data->X.ptr[ROWS], ROWS * ENTRIES);
    assert_true(ny_matrix_bytes(&data->X) < 16 * ROWS * (ENTRIES + 1)); /* index, value, pointers */
    ny_model *model = train(data, options);
    assert_true(ny_matrix_is_sparse(&model->f.Z));
    assert_int_equal(model->f.Z.ptr[model->f.Z.n], model->f.Z.n * ENTRIES);
    assert_true(model->record->expected.error < 0.25);
    must(ctx, ny_predict(ctx, model, data, NULL, NULL, NULL, before));
    must(ctx, ny_model_save(ctx, model, "sparse.nysel"));
    must(ctx, ny_model_load(ctx, "sparse.nysel", &loaded));
    must(ctx, ny_data_read(ctx, file, options, loaded, &again));
    must(ctx, ny_predict(ctx, loaded, again, NULL, NULL, NULL, after));
    assert_memory_equal(before, after, ROWS * sizeof *before);
    ny_data_free(data);
    ny_data_free(again);
    ny_model_free(model);
    ny_model_free(loaded);
    ny_options_free(options);
    unlink("sparse.nysel");
    unlink(file);
    free(file);
    free(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_numbers),
        cmocka_unit_test(unscaled),
        cmocka_unit_test(scaled_by_range),
        cmocka_unit_test(selected),
        cmocka_unit_test(rather_full),
        cmocka_unit_test(odd_rows),
        cmocka_unit_test(large),
    };
    return cmocka_run_group_tests_name("sparse data", tests, setup, teardown);
}
