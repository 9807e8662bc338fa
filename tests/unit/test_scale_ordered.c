/* test_scale_ordered.c: scales that go by the order of the values, against ranks by counting and quartiles by hand;
 * what must not change them; rows in passes; models that bend their inputs, saved, loaded and with fewer columns. */
#include <math.h>

#include "model/record.h"
#include "scale/scale.h"
#include "table/data.h"
#include "train/prepare.h"
#include "train/validation.h"
#include "with_ctx.h"

enum { ROWS = 400, INPUTS = 6 };

/* Normal, a heavy tail, ties at 0 (three quarters), 9 values, 8 values, 3 values of which one is rare. */
static double value(int i, int j) {
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, (uint32_t)(i * INPUTS + j));
    double u = ny_rng_uniform(&rng), z = ny_rng_normal(&rng);
    switch (j) {
        case 0:
            return z;
        case 1:
            return tan(3 * (u - 0.5)) * 1000;
        case 2:
            return u < 0.75 ? 0 : exp(z);
        case 3:
            return floor(9 * u);
        case 4:
            return floor(8 * u);
        default:
            return u < 0.05 ? -1 : u < 0.95 ? 0 : 4;
    }
}

static double target(int i) {
    return value(i, 0) + (value(i, 2) > 0) + 0.1 * value(i, 3);
}

typedef struct {
    double shift[INPUTS], factor[INPUTS], range[2 * INPUTS];
    ny_bend bend;
    ny_scaling s;
} fitted;

static fitted *fit(const char *scale, const ny_matrix *X) {
    fitted *f = calloc(1, sizeof *f);
    f->s = (ny_scaling){.shift = f->shift, .factor = f->factor, .range = f->range, .bend = &f->bend};
    must(ctx, ny_scale_fit(ctx, ny_scale_find(scale), X, NULL, X->n, &f->s));
    return f;
}

static void drop(fitted *f) {
    ny_bend_clear(&f->bend);
    free(f);
}

static double scaled(const fitted *f, int j, double x) {
    return (ny_bend_value(&f->bend, j, x) - f->shift[j]) * f->factor[j];
}

static void make(ny_matrix *X) {
    must(ctx, ny_matrix_dense(ctx, INPUTS, ROWS, X));
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < INPUTS; j++) X->x[j + i * INPUTS] = value(i, j);
}

static double normal(double z) {
    return 0.5 * erfc(-z / sqrt(2));
}

static void quantile_is_the_normal_of_mean_ranks(void **state) {
    (void)state;
    ny_matrix X = {0};
    make(&X);
    fitted *f = fit("quantile", &X), *standard = fit("standard", &X);
    for (int j = 0; j < INPUTS; j++) {
        assert_true(ny_bend_has(&f->bend, j) == (j < 4)); /* 8 values or fewer stay */
        double least = INFINITY, largest = -INFINITY, top = 0, bottom = 0;
        for (int i = 0; i < ROWS; i++) {
            double x = X.x[j + i * INPUTS], z = scaled(f, j, x), ranks = 0;
            if (j >= 4) {
                assert_true(z == scaled(standard, j, x));
                continue;
            }
            for (int k = 0; k < ROWS; k++) {
                double other = X.x[j + k * INPUTS];
                ranks += other < x ? 1 : other == x ? 0.5 : 0;
            }
            assert_close(normal(z), ranks / ROWS, 1e-14);
            if (x < least) least = x, bottom = z;
            if (x > largest) largest = x, top = z;
        }
        if (j >= 4) continue;
        assert_true(scaled(f, j, least - 1e6) == bottom && scaled(f, j, largest + 1e-9) == top);
    }
    double a = 3, b = 4; /* whole numbers: half way between two values */
    assert_close(scaled(f, 3, 3.5), 0.5 * (scaled(f, 3, a) + scaled(f, 3, b)), 1e-15);
    assert_true(f->s.error == 0);
    drop(f);
    drop(standard);
    ny_matrix_clear(&X);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void robust_and_log_by_hand(void **state) {
    (void)state;
    ny_matrix X = {0};
    make(&X);
    fitted *robust = fit("robust", &X), *logs = fit("log", &X), *standard = fit("standard", &X);
    for (int j = 0; j < INPUTS; j++) {
        double v[ROWS], t[ROWS], mean = 0, squares = 0;
        for (int i = 0; i < ROWS; i++) v[i] = X.x[j + i * INPUTS];
        qsort(v, ROWS, sizeof *v, by_size);
        double quartile[3]; /* place q (n - 1) = 99.75, 199.5, 299.25 */
        for (int q = 0; q < 3; q++) {
            int at = 99 + 100 * q;
            quartile[q] = v[at] + (0.75 - 0.25 * q) * (v[at + 1] - v[at]);
        }
        double width = quartile[2] - quartile[0];
        if (j == 5) assert_true(width == 0);
        if (width == 0) width = 1.349 / standard->factor[j];
        for (int i = 0; i < ROWS; i++) {
            t[i] = (X.x[j + i * INPUTS] - quartile[1]) / width;
            assert_close(scaled(robust, j, X.x[j + i * INPUTS]), t[i], 1e-12);
            t[i] = (t[i] > 0 ? 1 : -1) * log(1 + fabs(t[i]));
            mean += t[i] / ROWS;
        }
        for (int i = 0; i < ROWS; i++) squares += (t[i] - mean) * (t[i] - mean) / ROWS;
        for (int i = 0; i < ROWS; i++)
            assert_close(scaled(logs, j, X.x[j + i * INPUTS]), (t[i] - mean) / sqrt(squares), 1e-10);
    }
    assert_int_equal(ny_bend_count(&robust->bend), 0);
    assert_int_equal(ny_bend_count(&logs->bend), INPUTS);
    drop(robust);
    drop(logs);
    drop(standard);
    ny_matrix_clear(&X);
}

/* A power of two changes no bit of any scale but none; a monotone map none of quantile; a permutation of the inputs
 * permutes. */
static void what_changes_nothing(void **state) {
    (void)state;
    ny_matrix X = {0}, P = {0}, M = {0}, T = {0};
    make(&X);
    make(&P);
    make(&M);
    make(&T);
    for (int i = 0; i < ROWS * INPUTS; i++) {
        int j = i % INPUTS;
        P.x[i] = ldexp(X.x[i], 3 * j - 7);
        M.x[i] = X.x[i] + X.x[i] * X.x[i] * X.x[i];
        T.x[i] = X.x[i - j + (j + 1) % INPUTS];
    }
    for (int64_t k = 0; ny_scale_at(k); k++) {
        const char *name = ny_scale_at(k)->name;
        fitted *f = fit(name, &X), *p = fit(name, &P), *m = fit(name, &M), *t = fit(name, &T);
        for (int i = 0; i < ROWS * INPUTS; i++) {
            int j = i % INPUTS;
            double z = scaled(f, j, X.x[i]);
            if (ny_scale_at(k) != &ny_scale_none) assert_true(scaled(p, j, P.x[i]) == z);
            if (ny_scale_at(k) == &ny_scale_quantile && j < 4) assert_true(scaled(m, j, M.x[i]) == z);
            assert_true(scaled(t, j, T.x[i]) == scaled(f, (j + 1) % INPUTS, T.x[i]));
        }
        drop(f);
        drop(p);
        drop(m);
        drop(t);
    }
    ny_matrix_clear(&X);
    ny_matrix_clear(&P);
    ny_matrix_clear(&M);
    ny_matrix_clear(&T);
}

/* Shares of the rows as the scale has them, against those of all rows; `slack` on top of what it says of itself. */
static void expect_shares(const fitted *f, const double *sorted, int64_t n, double slack) {
    for (int64_t i = 0; i < n; i++) {
        int64_t last = i;
        while (last + 1 < n && sorted[last + 1] == sorted[i]) last++;
        double share = (double)(i + last + 1) / (2.0 * (double)n);
        assert_true(fabs(normal(scaled(f, 0, sorted[i])) - share) <= f->s.error + slack);
        i = last;
    }
}

/* Many values: at most NY_KNOTS knots, and the rank error that is told holds; in pieces it does with the sketch's. */
static void many_values(void **state) {
    (void)state;
    enum { MANY = 30000, PIECE = 700 };
    ny_matrix X = {.d = 1}, part = {0};
    int64_t all[PIECE];
    for (int tail = 0; tail < 3; tail++) {
        must(ctx, ny_matrix_dense(ctx, 1, MANY, &X));
        for (int i = 0; i < MANY; i++) {
            ny_rng rng = ny_rng_make(6, NY_RNG_TEST, (uint32_t)i);
            double z = ny_rng_normal(&rng);
            X.x[i] = tail == 0 ? z : tail == 1 ? exp(4 * z) : i % 3 == 0 ? round(z) : z;
        }
        fitted *whole = fit("quantile", &X), *pieces = calloc(1, sizeof *pieces);
        assert_in_range(whole->bend.ptr[1], NY_KNOTS / 2, NY_KNOTS);
        assert_true(whole->s.error > 0 && whole->s.error < 0.004);
        pieces->s = (ny_scaling){
            .shift = pieces->shift, .factor = pieces->factor, .range = pieces->range, .bend = &pieces->bend};
        ny_scale_acc acc;
        must(ctx, ny_scale_begin(ctx, &ny_scale_quantile, 1, false, &acc));
        for (int64_t i = 0; i < MANY; i += PIECE) {
            int64_t count = 0;
            while (count < PIECE && i + count < MANY) all[count] = i + count, count++;
            if (i / PIECE % 2) must(ctx, ny_scale_add(ctx, &acc, &X, all, count));
            else {
                must(ctx, ny_matrix_gather(ctx, &X, all, count, &part));
                must(ctx, ny_scale_add(ctx, &acc, &part, NULL, count));
                ny_matrix_clear(&part);
            }
        }
        must(ctx, ny_scale_end(ctx, &acc, &ny_scale_quantile, &pieces->s));
        ny_scale_acc_clear(&acc);
        assert_true(pieces->s.error > 0 && pieces->s.error < 0.008);
        double *sorted = malloc(MANY * sizeof *sorted);
        memcpy(sorted, X.x, MANY * sizeof *sorted);
        qsort(sorted, MANY, sizeof *sorted, by_size);
        expect_shares(whole, sorted, MANY, 1e-12);
        expect_shares(pieces, sorted, MANY, 1e-12);
        free(sorted);
        drop(whole);
        drop(pieces);
        ny_matrix_clear(&X);
    }
}

static ny_data *table_of(int rows, const char *suffix, char **file, const ny_options *o, const ny_model *like) {
    char *text = malloc((size_t)rows * 150 + 100), *at = text;
    at += sprintf(at, "a,b,c,d,e,f,town,target\n");
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < INPUTS; j++) at += sprintf(at, "%.15g,", value(i, j));
        at += sprintf(at, "%s,%.15g\n", i % 3 ? "Ulm" : i % 2 ? "Jena" : "Bonn", target(i));
    }
    *file = write_file(suffix, text, -1);
    free(text);
    ny_data *data = NULL;
    must(ctx, ny_data_read(ctx, *file, o, like, &data));
    return data;
}

/* Save, load, save: the same bits; rows far outside have the value of the end with quantile, whatever --outside says.
 */
static void models_keep_their_bends(void **state) {
    (void)state;
    static const char *const scales[] = {"quantile", "robust", "log"};
    static double before[ROWS], after[ROWS];
    for (int k = 0; k < 3; k++)
        for (int select = 0; select < 2; select++) {
            ny_options *o = make_options(ctx, "kernel", "rbf", "scale", scales[k], "landmarks", "50", "select-inputs",
                                         select ? "yes" : "no", NULL);
            char *file = NULL, *saved = write_file(".nysel", "", -1), *text = NULL;
            ny_data *data = table_of(ROWS, ".csv", &file, o, NULL);
            ny_model *m = NULL, *again = NULL;
            must(ctx, ny_train(ctx, data, o, &m));
            if (select) assert_true(m->schema.all_columns > 0); /* some columns went */
            assert_int_equal(m->bend.d, k == 1 ? 0 : m->schema.inputs);
            assert_string_equal(m->record->origin.scale, scales[k]);
            must(ctx, ny_model_save(ctx, m, saved));
            must(ctx, ny_model_load(ctx, saved, &again));
            must(ctx, ny_predict(ctx, m, data, NULL, before, NULL, NULL));
            must(ctx, ny_predict(ctx, again, data, NULL, after, NULL, NULL));
            assert_memory_equal(before, after, sizeof before);
            double error = 0, spread = 0;
            for (int i = 0; i < ROWS; i++) {
                error += pow(before[i] - target(i), 2) / ROWS;
                spread += pow(target(i), 2) / ROWS;
            }
            assert_true(error < 0.1 * spread);
            must(ctx, ny_model_summary(ctx, again, &text));
            assert_non_null(strstr(text, scales[k]));
            ny_text_free(text);
            ny_model_free(m);
            ny_model_free(again);
            ny_data_free(data);
            ny_options_free(o);
            remove(file);
            remove(saved);
            free(file);
            free(saved);
        }
}

/* In passes the order comes from sketches; of 400 rows these are exact. */
static void passes_equal_memory(void **state) {
    (void)state;
    static const char *const scales[] = {"quantile", "robust", "log"};
    for (int k = 0; k < 3; k++) {
        ny_model *m[2] = {NULL};
        for (int stream = 0; stream < 2; stream++) {
            char *file = NULL;
            ny_options *o = make_options(ctx, "kernel", "rbf", "bandwidth", "2", "C", "1", "search", "none",
                                         "landmarks", "50", "scale", scales[k], "stream", stream ? "yes" : "no", NULL);
            ny_data *data = table_of(ROWS, ".csv", &file, o, NULL);
            must(ctx, ny_train(ctx, data, o, &m[stream]));
            ny_data_free(data);
            ny_options_free(o);
            remove(file);
            free(file);
        }
        int64_t d = m[0]->schema.inputs;
        for (int64_t j = 0; j < d; j++) {
            assert_close(m[1]->shift[j], m[0]->shift[j], 1e-12);
            assert_close(m[1]->factor[j], m[0]->factor[j], 1e-12);
            assert_true(ny_bend_has(&m[0]->bend, j) == ny_bend_has(&m[1]->bend, j));
            for (int i = 0; i < ROWS && j < INPUTS; i++)
                assert_close(ny_bend_value(&m[1]->bend, j, value(i, (int)j)),
                             ny_bend_value(&m[0]->bend, j, value(i, (int)j)), 1e-13);
        }
        ny_model_free(m[0]);
        ny_model_free(m[1]);
    }
}

static void sparse_inputs_are_refused(void **state) {
    (void)state;
    char *file = write_file(".svm", "1 1:2 9:1\n-1 2:3\n1 1:1 4:2\n-1 3:1 7:7\n1 1:4\n-1 2:2\n", -1);
    for (int stream = 0; stream < 2; stream++) {
        ny_options *o = make_options(ctx, "scale", "quantile", "stream", stream ? "yes" : "no", NULL);
        ny_data *data = NULL;
        ny_model *m = NULL;
        must(ctx, ny_data_read(ctx, file, o, NULL, &data));
        assert_int_equal(ny_train(ctx, data, o, &m), NY_ERR_USAGE);
        assert_non_null(strstr(ny_message(ctx), "--scale quantile"));
        ny_data_free(data);
        ny_options_free(o);
    }
    remove(file);
    free(file);
}

/* Rows that are prepared can be scaled anew: as if they had been prepared so. */
static void scaling_anew(void **state) {
    (void)state;
    ny_options *o = make_options(ctx, NULL);
    char *file = NULL;
    ny_data *data = table_of(ROWS, ".csv", &file, o, NULL);
    ny_training first = {0}, second = {0};
    ny_model *a = NULL, *b = NULL;
    int64_t *rows = NULL;
    for (int k = 0; k < 2; k++) {
        ny_training *t = k ? &second : &first;
        must(ctx, ny_model_new(ctx, k ? &b : &a));
        ny_model *m = k ? b : a;
        m->options = make_options(ctx, "scale", k ? "quantile" : "standard", "validation", file, NULL);
        must(ctx, ny_prepare_task(ctx, data, t, m));
        must(ctx, ny_prepare_rows(ctx, data, t, m, &rows));
        must(ctx, ny_validation_prepare(ctx, data, t, m));
        must(ctx, ny_prepare_inputs(ctx, data, t, m));
        assert_int_equal(t->rows.validation.X.n, ROWS);
        ny_free(rows);
        rows = NULL;
    }
    size_t bytes = (size_t)(first.rows.all.n * first.rows.all.X.d) * sizeof(double);
    assert_true(memcmp(first.rows.all.X.x, second.rows.all.X.x, bytes) != 0);
    must(ctx, ny_prepare_scale(ctx, data, &ny_scale_quantile, &first, a));
    assert_memory_equal(first.rows.all.X.x, second.rows.all.X.x, bytes);
    assert_memory_equal(first.rows.validation.X.x, second.rows.validation.X.x, bytes);
    for (int i = 0; i < ROWS; i++) { /* the file is that of the training */
        const double *row = first.rows.all.X.x + i * first.rows.all.X.d;
        assert_memory_equal(first.rows.validation.X.x + first.rows.all.id[i] * first.rows.all.X.d, row,
                            (size_t)first.rows.all.X.d * sizeof *row);
    }
    assert_string_equal(a->record->origin.scale, "quantile");
    must(ctx, ny_prepare_scale(ctx, data, &ny_scale_standard, &first, a));
    must(ctx, ny_prepare_scale(ctx, data, &ny_scale_standard, &second, b));
    assert_memory_equal(first.rows.all.X.x, second.rows.all.X.x, bytes);
    assert_int_equal(a->bend.d + b->bend.d, 0);
    ny_training_rows_clear(&first.rows);
    ny_training_rows_clear(&second.rows);
    ny_model_free(a);
    ny_model_free(b);
    ny_data_free(data);
    ny_options_free(o);
    remove(file);
    free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantile_is_the_normal_of_mean_ranks),
        cmocka_unit_test(robust_and_log_by_hand),
        cmocka_unit_test(what_changes_nothing),
        cmocka_unit_test(many_values),
        cmocka_unit_test(models_keep_their_bends),
        cmocka_unit_test(passes_equal_memory),
        cmocka_unit_test(sparse_inputs_are_refused),
        cmocka_unit_test(scaling_anew),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
