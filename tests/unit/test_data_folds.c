/* test_data_folds.c: folds, fold files, samples of rows. */
#include "read/folds.h"
#include "support.h"

/* Some classes of very different size, in a mixed order. */
static void make_codes(int64_t n, int64_t classes, int32_t *code) {
    for (int64_t i = 0; i < n; i++) code[i] = (int32_t)(i % 7 == 0 ? i / 7 % classes : (i * i) % 2);
}

static void check_folds(ny_ctx *ctx, int64_t n, bool classed, int64_t folds) {
    enum { CLASSES = 5 };
    int32_t *code = calloc((size_t)n, sizeof *code), *fold = calloc((size_t)n, sizeof *fold);
    int64_t *size = calloc((size_t)folds, sizeof *size), *share = calloc((size_t)(folds * CLASSES), sizeof *share);
    int64_t total[CLASSES] = {0};
    make_codes(n, CLASSES, code);
    must(ctx, ny_folds_make(ctx, n, classed ? code : NULL, CLASSES, folds, 3, fold));
    for (int64_t i = 0; i < n; i++) {
        assert_in_range(fold[i], 0, folds - 1);
        size[fold[i]]++;
        share[fold[i] * CLASSES + code[i]]++;
        total[code[i]]++;
    }
    for (int64_t f = 0; f < folds; f++) {
        assert_in_range(size[f], n / folds, n / folds + (n % folds > 0));
        for (int k = 0; classed && k < CLASSES; k++)
            assert_in_range(share[f * CLASSES + k], total[k] / folds, total[k] / folds + (total[k] % folds > 0));
    }
    free(code);
    free(fold);
    free(size);
    free(share);
}

static void folds_even(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    static const int64_t rows[] = {2, 10, 11, 99, 1000, 1003};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int64_t folds = 2; folds <= 10 && folds <= rows[i]; folds++) {
            check_folds(ctx, rows[i], true, folds);
            check_folds(ctx, rows[i], false, folds);
        }
    check_folds(ctx, 200, true, 200); /* leave one out */
    int32_t fold[4];
    assert_int_equal(ny_folds_make(ctx, 4, NULL, 0, 5, 1, fold), NY_ERR_USAGE);
    assert_non_null(strstr(ny_message(ctx), "5 folds of 4 rows"));
    ny_ctx_free(ctx);
}

static void folds_follow_seed(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    int32_t a[100], b[100], c[100];
    must(ctx, ny_folds_make(ctx, 100, NULL, 0, 10, 1, a));
    must(ctx, ny_folds_make(ctx, 100, NULL, 0, 10, 1, b));
    must(ctx, ny_folds_make(ctx, 100, NULL, 0, 10, 2, c));
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
    ny_ctx_free(ctx);
}

static void fold_files(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t n, folds;
        int32_t fold[5];
        const char *message;
    } cases[] = {
        {"1\n2\n1\n2\n3\n", 5, 3, {0, 1, 0, 1, 2}, 0},
        {" 7 \r\n-3\r\n\r\n7", 3, 2, {1, 0, 1}, 0},
        {"1\n2\n", 3, 0, {0}, ": 2 fold numbers, but the data have 3 rows"},
        {"1\n2\n3\n4\n", 3, 0, {0}, ": 4 fold numbers, but the data have 3 rows"},
        {"1\n1\n1\n", 3, 0, {0}, ": 1 folds; at least 2 are needed"},
        {"1\n2.5\n1\n", 3, 0, {0}, ":2: '2.5' is not a fold number"},
        {"1\n\nfold\n1\n", 3, 0, {0}, ":3: 'fold' is not a fold number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ny_ctx *ctx = ny_ctx_new();
        char *path = write_file(".folds", cases[i].text, -1);
        int32_t fold[5];
        int64_t folds = 0;
        ny_status st = ny_folds_read(ctx, path, cases[i].n, fold, &folds);
        if (cases[i].message) {
            if (st == NY_OK || !strstr(ny_message(ctx), cases[i].message)) fail_msg("%s", ny_message(ctx));
        } else {
            must(ctx, st);
            assert_int_equal(folds, cases[i].folds);
            assert_memory_equal(fold, cases[i].fold, (size_t)cases[i].n * sizeof *fold);
        }
        remove(path);
        free(path);
        ny_ctx_free(ctx);
    }
}

static void samples(void **state) {
    (void)state;
    enum { N = 1000, CLASSES = 4 };
    ny_ctx *ctx = ny_ctx_new();
    int32_t code[N];
    int64_t rows[N], size[CLASSES] = {0};
    for (int i = 0; i < N; i++) size[code[i] = i < 2 ? 3 : i % 10 == 0 ? 2 : i % 2]++; /* class 3 has two rows */
    for (int64_t count = 0; count <= N; count += count < 20 ? 1 : 49) {
        int64_t got[CLASSES] = {0};
        must(ctx, ny_rows_sample(ctx, N, code, CLASSES, count, 5, rows));
        for (int64_t i = 0; i < count; i++) {
            assert_in_range(rows[i], i == 0 ? 0 : rows[i - 1] + 1, N - 1);
            got[code[rows[i]]]++;
        }
        for (int k = 0; k < CLASSES; k++) {
            double share = (double)count * (double)size[k] / N;
            if (count >= CLASSES) assert_true(got[k] >= 1);
            assert_true((double)got[k] > share - 3 && (double)got[k] < share + 2);
            assert_true(got[k] <= size[k]);
        }
    }
    must(ctx, ny_rows_sample(ctx, N, NULL, 0, 10, 5, rows));
    assert_int_equal(ny_rows_sample(ctx, N, NULL, 0, N + 1, 5, rows), NY_ERR_USAGE);
    ny_ctx_free(ctx);
}

/* Row by row gives what all at once gives, and folds of one class do not depend on the rows of another. */
static void folds_row_by_row(void **state) {
    (void)state;
    enum { N = 500, CLASSES = 3 };
    ny_ctx *ctx = ny_ctx_new();
    int32_t code[N], fold[N];
    int64_t class_rows[CLASSES] = {0}, later[CLASSES];
    for (int i = 0; i < N; i++) class_rows[code[i] = i % 11 == 0 ? 2 : i % 2]++;
    must(ctx, ny_folds_make(ctx, N, code, CLASSES, 7, 9, fold));
    ny_fold_maker maker;
    must(ctx, ny_fold_maker_init(ctx, CLASSES, class_rows, 7, 9, &maker));
    for (int i = 0; i < N; i++) assert_int_equal(ny_fold_next(&maker, code[i]), fold[i]);
    for (int i = 0; i < 20; i++) assert_in_range(ny_fold_next(&maker, 1), 0, 6); /* more rows than were told */
    ny_fold_maker_clear(&maker);
    memcpy(later, class_rows, sizeof later);
    later[2] += 50;
    must(ctx, ny_fold_maker_init(ctx, CLASSES, later, 7, 9, &maker));
    for (int i = 0; i < N; i++)
        if (code[i] == 0) assert_int_equal(ny_fold_next(&maker, 0), fold[i]);
    ny_fold_maker_clear(&maker);
    ny_ctx_free(ctx);
}

/* A smaller sample is, class by class, a part of a larger one; and every row can be asked for. */
static void samples_nested(void **state) {
    (void)state;
    enum { N = 800, CLASSES = 3, MOST = 400 };
    ny_ctx *ctx = ny_ctx_new();
    int32_t code[N];
    int64_t class_rows[CLASSES] = {0}, few[MOST], more[MOST], got[2][CLASSES];
    for (int i = 0; i < N; i++) class_rows[code[i] = i % 9 == 0 ? 2 : i % 2]++;
    for (int64_t count = 10; count < MOST; count += 37) {
        ny_row_sampler s;
        must(ctx, ny_rows_sample(ctx, N, code, CLASSES, count, 4, few));
        must(ctx, ny_row_sampler_init(ctx, CLASSES, class_rows, count + 30 < MOST ? count + 30 : MOST, 4, &s));
        for (int64_t i = N - 1; i >= 0; i--) ny_row_sampler_offer(&s, i, code[i]); /* the order does not matter */
        int64_t listed = ny_row_sampler_rows(&s, more), at = 0;
        assert_int_equal(listed, s.count);
        memset(got, 0, sizeof got);
        for (int64_t i = 0; i < N; i++) {
            bool has = ny_row_sampler_has(&s, i, code[i]);
            assert_int_equal(has, at < listed && more[at] == i);
            at += has;
            got[1][code[i]] += has;
        }
        for (int64_t i = 0; i < count; i++) got[0][code[few[i]]]++;
        for (int64_t i = 0; i < count; i++)
            if (got[0][code[few[i]]] <= got[1][code[few[i]]]) assert_true(ny_row_sampler_has(&s, few[i], code[few[i]]));
        ny_row_sampler_clear(&s);
    }
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_even), cmocka_unit_test(folds_follow_seed), cmocka_unit_test(fold_files),
        cmocka_unit_test(samples),    cmocka_unit_test(folds_row_by_row),  cmocka_unit_test(samples_nested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
