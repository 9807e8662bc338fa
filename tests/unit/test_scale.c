/* test_scale.c: scales fitted to rows that come in pieces, against sums in long double over all of them. */
#include <math.h>

#include "model/record.h"
#include "scale/scale.h"
#include "support.h"

enum { ROWS = 3000, INPUTS = 7 };

/* Inputs of every magnitude: ordinary, far from 0, huge, tiny, constant, and one that only its last rows change. */
static void fill(double *x) {
    for (int i = 0; i < ROWS; i++) {
        ny_rng rng = ny_rng_make(1, NY_RNG_TEST, (uint32_t)i);
        double *row = x + i * INPUTS, z = ny_rng_normal(&rng);
        row[0] = z;
        row[1] = 1e6 + z;
        row[2] = 1e149 * z;
        row[3] = 1e-200 * z;
        row[4] = 3.5;
        row[5] = i < ROWS - 5 ? 1 : 2;
        row[6] = i % 3 == 0 ? 0 : z * i;
    }
}

static void expect(const ny_scale *scale, bool sparse, const double *x, int64_t j, double *shift, double *factor) {
    long double mean = 0, squares = 0, lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < ROWS; i++) mean += (long double)x[i * INPUTS + j] / ROWS;
    if (sparse) mean = lo = hi = 0;
    for (int i = 0; i < ROWS; i++) {
        long double v = x[i * INPUTS + j];
        squares += (v - mean) * (v - mean) / ROWS;
        lo = fminl(lo, v);
        hi = fmaxl(hi, v);
    }
    bool standard = scale == &ny_scale_standard, none = scale == &ny_scale_none;
    long double size = standard ? sqrtl(squares) : sparse ? fmaxl(fabsl(lo), fabsl(hi)) : (hi - lo) / 2;
    *shift = none || sparse ? 0 : (double)(standard || lo == hi ? mean : (lo + hi) / 2);
    *factor = none ? 1 : lo == hi ? 0 : (double)(1 / size);
}

static void in_pieces(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X, S = {.d = INPUTS, .n = ROWS}, part;
    must(ctx, ny_matrix_dense(ctx, INPUTS, ROWS, &X));
    fill(X.x);
    int64_t all[ROWS];
    S.ptr = ny_alloc(ctx, ROWS + 1, sizeof *S.ptr);
    S.idx = ny_alloc(ctx, (int64_t)ROWS * INPUTS, sizeof *S.idx);
    S.val = ny_alloc(ctx, (int64_t)ROWS * INPUTS, sizeof *S.val);
    for (int64_t i = 0, e = 0; i < ROWS; i++, S.ptr[i] = e) {
        all[i] = i;
        for (int32_t j = 0; j < INPUTS; j++)
            if (X.x[i * INPUTS + j] != 0) S.idx[e] = j, S.val[e++] = X.x[i * INPUTS + j];
    }
    static const int64_t sizes[] = {1, 7, 1000, ROWS};
    for (int64_t k = 0; ny_scale_at(k); k++)
        for (int sparse = 0; sparse < 2; sparse++)
            for (size_t b = 0; b < sizeof sizes / sizeof *sizes && ny_scale_at(k)->fit; b++) {
                double shift[2][INPUTS], factor[2][INPUTS], range[2][2 * INPUTS];
                const ny_matrix *M = sparse ? &S : &X;
                ny_scaling whole = {.shift = shift[0], .factor = factor[0], .range = range[0]},
                           pieces = {.shift = shift[1], .factor = factor[1], .range = range[1]};
                must(ctx, ny_scale_fit(ctx, ny_scale_at(k), M, all, ROWS, &whole));
                ny_scale_acc acc;
                must(ctx, ny_scale_begin(ctx, ny_scale_at(k), INPUTS, sparse, &acc));
                for (int64_t i = 0; i < ROWS; i += sizes[b]) {
                    int64_t count = ROWS - i < sizes[b] ? ROWS - i : sizes[b];
                    must(ctx, ny_matrix_gather(ctx, M, all + i, count, &part));
                    must(ctx, ny_scale_add(ctx, &acc, &part, NULL, count));
                    ny_matrix_clear(&part);
                }
                must(ctx, ny_scale_end(ctx, &acc, ny_scale_at(k), &pieces));
                ny_scale_acc_clear(&acc);
                assert_int_equal(whole.constant, sparse ? 0 : 1);
                assert_int_equal(pieces.constant, whole.constant);
                assert_memory_equal(range[0], range[1], sizeof range[0]);
                for (int64_t j = 0; j < INPUTS; j++) {
                    double least = INFINITY, largest = -INFINITY;
                    for (int64_t i = 0; i < ROWS; i++) {
                        least = fmin(least, X.x[i * INPUTS + j]);
                        largest = fmax(largest, X.x[i * INPUTS + j]);
                    }
                    assert_true(range[0][j] == (sparse ? fmin(least, 0) : least));
                    assert_true(range[0][j + INPUTS] == (sparse ? fmax(largest, 0) : largest));
                    double s, f;
                    expect(ny_scale_at(k), sparse, X.x, j, &s, &f);
                    for (int c = 0; c < 2; c++) { /* a shift is as exact as the inputs' size allows */
                        assert_true(fabs(factor[c][j] - f) <= 1e-12 * fabs(f));
                        assert_true(fabs(shift[c][j] - s) <= 1e-12 * fabs(s) + (f > 0 ? 1e-14 / f : 0));
                    }
                }
            }
    ny_matrix_clear(&X);
    ny_matrix_clear(&S);
    ny_ctx_free(ctx);
}

/* The inputs of a categorical column share one factor, and the sum of their variances becomes 1; in passes too. */
static void categories_together(void **state) {
    (void)state;
    enum { N = 60 };
    ny_ctx *ctx = ny_ctx_new();
    char text[4000] = "a,town,b,y\n";
    int64_t count[3] = {0};
    for (int i = 0; i < N; i++) {
        int k = i % 10 == 0 ? 2 : i % 3 == 0;
        count[k]++;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%s,%g,%g\n", i % 7,
                 (const char *[]){"x", "y", "z"}[k], i % 2 + 0.25 * (i % 5), sin(i));
    }
    char *file = write_file(".csv", text, -1);
    static const char *const scales[] = {"none", "standard", "quantile", "robust", "log"};
    for (int pass = 0; pass < 10; pass++) {
        bool standard = pass >= 2;
        ny_options *o = make_options(ctx, "search", "none", "bandwidth", "1", "C", "1", "kernel", "rbf", "landmarks",
                                     "20", "scale", scales[pass / 2], "stream", pass % 2 ? "yes" : "no", NULL);
        ny_data *data = NULL;
        ny_model *m = NULL;
        must(ctx, ny_data_read(ctx, file, o, NULL, &data));
        must(ctx, ny_train(ctx, data, o, &m));
        double total = 0; /* inputs: a, town = x, y, z, b */
        for (int k = 0; k < 3; k++) {
            double p = (double)count[k] / N, factor = m->factor[1 + k];
            assert_false(ny_bend_has(&m->bend, 1 + k));
            assert_close(factor, standard ? m->factor[1] : 1, 1e-12);
            total += p * (1 - p) * factor * factor;
        }
        if (standard) assert_close(total, 1, 1e-9);
        ny_model_free(m);
        ny_data_free(data);
        ny_options_free(o);
    }
    remove(file);
    free(file);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_pieces), cmocka_unit_test(categories_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
