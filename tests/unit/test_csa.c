/* test_csa.c: the annealing alone on functions with known minima, and the csa search through the training call. */
#include "support.h"

#include <math.h>

#include "model/record.h"
#include "search/csa.h"
#include "search/setup.h"

/* ---- annealing --------------------------------------------------------------------------------------------------- */

static void test_acceptance_sums_to_one(void **state) {
    (void)state;
    static const double E[4][5] = {
        {1, 1, 1, 1, 1}, {0, 1, 2, 3, 4}, {-1e300, 0, 1e300, 2, 5}, {1e-9, 3e-9, 2e-9, 0, 0}};
    static const double T[] = {1e-12, 1e-3, 1, 1e9};
    for (int k = 0; k < 4; k++)
        for (int t = 0; t < 4; t++) {
            double A[5], sum = 0, squares = 0;
            ny_csa_acceptance(5, E[k], T[t], A);
            for (int i = 0; i < 5; i++) sum += A[i], squares += A[i] * A[i];
            assert_close(sum, 1, 1e-14);
            double variance = squares / 5 - 1.0 / 25; /* the bounds that variance control relies on */
            assert_true(variance >= -1e-15 && variance <= 4.0 / 25 + 1e-15);
            for (int i = 0; i < 5; i++)
                for (int j = 0; j < 5; j++) assert_true(E[k][i] < E[k][j] ? A[i] <= A[j] : A[i] >= A[j]);
        }
    double A[5];
    ny_csa_acceptance(5, E[0], 1, A);
    for (int i = 0; i < 5; i++) assert_close(A[i], 0.2, 1e-15);
}

typedef struct {
    double unit; /* of the energy */
    int64_t calls, points, largest, fail_at;
    double least;
} landscape;

/* Rastrigin's function moved off the centre: about a hundred local minima in the box, 0 at (1.3, -2.1) only. */
static ny_status rastrigin(void *user, int64_t count, const double *x, double *E) {
    landscape *l = user;
    if (++l->calls == l->fail_at) return NY_STOPPED;
    l->points += count;
    if (count > l->largest) l->largest = count;
    for (int64_t i = 0; i < count; i++) {
        double u = x[2 * i] - 1.3, v = x[2 * i + 1] + 2.1;
        assert_true(fabs(x[2 * i]) <= 5.12 && x[2 * i + 1] >= -5.12 && x[2 * i + 1] <= 4);
        E[i] = l->unit * (20 + u * u + v * v - 10 * cos(2 * M_PI * u) - 10 * cos(2 * M_PI * v));
        l->least = fmin(l->least, E[i]);
    }
    return NY_OK;
}

static ny_status anneal(ny_ctx *ctx, landscape *l, int64_t evaluations, uint64_t seed, double x[2], double *E) {
    static const double lo[] = {-5.12, -5.12}, hi[] = {5.12, 4};
    ny_csa csa = {2, 10, evaluations, lo, hi, seed, rastrigin, l};
    l->calls = l->points = l->largest = 0;
    l->least = INFINITY;
    return ny_csa_minimise(ctx, &csa, x, E);
}

static void test_annealing_finds_the_global_minimum(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (uint64_t seed = 1; seed <= 12; seed++) {
        landscape l = {.unit = 1};
        double x[2], y[2], E, F;
        must(ctx, anneal(ctx, &l, 10003, seed, x, &E));
        assert_int_equal(l.points, 10003); /* the last round is a short one */
        assert_int_equal(l.largest, 10);
        assert_true(E == l.least && E < 0.1);             /* as many points drawn at random leave 0.5 on average */
        assert_true(hypot(x[0] - 1.3, x[1] + 2.1) < 0.3); /* the next minimum is 1 away */
        l.unit = 0x1p-40; /* the units of the criterion do not matter, to the last bit */
        must(ctx, anneal(ctx, &l, 10003, seed, y, &F));
        assert_memory_equal(x, y, sizeof x);
        assert_true(F == E * 0x1p-40);
    }
    ny_ctx_free(ctx);
}

typedef struct {
    int64_t rounds, late, both; /* both: late rounds in which both annealers probe the upper part */
} two_steps;

/* 0 below a half, 1 above. */
static ny_status two_levels(void *user, int64_t count, const double *x, double *E) {
    two_steps *t = user;
    for (int64_t i = 0; i < count; i++) E[i] = x[i] > 0.5;
    if (++t->rounds <= 300 || count < 2) return NY_OK;
    t->late++;
    t->both += x[0] > 0.7 && x[1] > 0.7;
    return NY_OK;
}

/* Control of the variance: once it holds, only the worst one of two annealers goes uphill, so they are hardly ever up
 * together. (With a temperature that grows both go up with probability 1/2: 3.5% of the rounds.) */
static void test_the_best_one_stays(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    static const double lo = 0, hi = 1;
    int64_t late = 0, both = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        two_steps t = {0};
        double x, E;
        ny_csa csa = {1, 2, 4000, &lo, &hi, seed, two_levels, &t};
        must(ctx, ny_csa_minimise(ctx, &csa, &x, &E));
        assert_true(E == 0 && x <= 0.5);
        late += t.late, both += t.both;
    }
    assert_true(late > 60000 && (double)both < 0.008 * (double)late);
    ny_ctx_free(ctx);
}

static void test_annealing_of_few_and_of_flat(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    landscape l = {.unit = 0}; /* all energies alike */
    double x[2], E;
    must(ctx, anneal(ctx, &l, 40, 1, x, &E));
    assert_true(E == 0 && l.points == 40);
    l.unit = 1;
    must(ctx, anneal(ctx, &l, 3, 1, x, &E)); /* fewer than starters */
    assert_true(l.points == 3 && l.calls == 1 && E == l.least);
    l.fail_at = 3;
    assert_int_equal(anneal(ctx, &l, 40, 1, x, &E), NY_STOPPED);
    assert_int_equal(l.calls, 3);
    ny_ctx_free(ctx);
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

static void test_csa_finds_the_grids_optimum(void **state) {
    (void)state;
    static const char *const names[] = {"banana", "sinc"}, *const seeds[] = {"1", "2"};
    ny_ctx *ctx = ny_ctx_new();
    for (int k = 0; k < 2; k++) {
        ny_data *data = NULL;
        must(ctx, ny_data_generate(ctx, names[k], 120, 1, &data));
        ny_model *g = train_with_options(ctx, data,
                                         make_options(ctx, "kernel", "rbf", "landmarks", "all", "search", "grid",
                                                      "bandwidth", "-5:5:0.25", "C", "-10:20:0.25", NULL));
        for (int s = 0; s < 2; s++) {
            ny_model *c = train_with_options(
                ctx, data,
                make_options(ctx, "kernel", "rbf", "landmarks", "all", "search", "csa", "seed", seeds[s], NULL));
            assert_true(c->record->expected.value <= 1.02 * g->record->expected.value);
            assert_true(c->record->evaluations >= 90 && c->record->evaluations <= 160);
            ny_model_free(c);
        }
        ny_model_free(g);
        ny_data_free(data);
    }
    ny_ctx_free(ctx);
}

/* As many as asked for, at full size, each with its own C; the model is the best of them. The starters decide on the
 * kernel. */
static void test_evaluations_are_as_asked(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    const ny_kernel *candidate[NY_KERNELS_MAX];
    int64_t kernels = ny_kernel_candidates("auto", NY_KERNELS_MAX, candidate);
    must(ctx, ny_data_generate(ctx, "waveform", 120, 1, &data));
    for (int k = 0; k < 3; k++) {
        int64_t annealed = k == 2 ? 8 : 29, starters = k == 2 ? 1 : 4, most = annealed + 9 * (k == 1), best = -1;
        ny_model *m = train_with_options(
            ctx, data,
            make_options(ctx, "landmarks", "30", "search", "csa", "csa-evaluations", k == 2 ? "8" : "29",
                         "csa-starters", "4", "simplex-evaluations", k == 1 ? "9" : "0", NULL));
        assert_true(k == 1 ? m->record->evaluations > annealed && m->record->evaluations <= most
                           : m->record->evaluations == annealed);
        for (int64_t i = 0; i < m->record->evaluations; i++) {
            const ny_evaluation *e = &m->record->evaluation[i];
            assert_int_equal(e->rows, 120);
            bool chosen = e->kernel == m->f.kernel.kernel; /* of a kernel without bound one may be better by a hair */
            if (chosen && (best < 0 || e->value < m->record->evaluation[best].value)) best = i;
            if (i >= kernels * starters) assert_ptr_equal(e->kernel, m->f.kernel.kernel);
            for (int64_t j = 0; j < i; j++) {
                const ny_evaluation *f = &m->record->evaluation[j];
                assert_true(e->C != f->C || e->bandwidth != f->bandwidth || e->kernel != f->kernel);
            }
        }
        for (int64_t i = 0; i < starters; i++) { /* the same places with every kernel */
            const ny_evaluation *a = &m->record->evaluation[i], *b = a + starters;
            assert_true(a->kernel != b->kernel && a->bandwidth == b->bandwidth && a->C == b->C);
        }
        const ny_evaluation *e = &m->record->evaluation[best];
        assert_true(m->record->expected.value == e->value && m->f.kernel.bandwidth == e->bandwidth);
        for (int j = 0; j < 3; j++) assert_close(m->C[j], e->C, 1e-12);
        ny_model_free(m);
    }
    ny_data_free(data);
    ny_ctx_free(ctx);
}

static void test_same_seed_same_model(void **state) {
    (void)state;
    enum { N = 100 };
    static const char *const seeds[] = {"1", "1", "2"};
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    double score[3][N];
    must(ctx, ny_data_generate(ctx, "banana", N, 1, &data));
    for (int k = 0; k < 3; k++) {
        ny_model *m = train_with_options(ctx, data,
                                         make_options(ctx, "landmarks", "30", "search", "csa", "csa-evaluations", "20",
                                                      "simplex-evaluations", "10", "seed", seeds[k], NULL));
        must(ctx, ny_predict(ctx, m, data, NULL, NULL, NULL, score[k]));
        ny_model_free(m);
    }
    assert_memory_equal(score[0], score[1], sizeof score[0]);
    assert_memory_not_equal(score[0], score[2], sizeof score[0]);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

static ny_model *short_search(ny_ctx *ctx, const ny_data *data, const char *kernel, const char *bandwidth,
                              const char *C) {
    ny_options *o =
        make_options(ctx, "kernel", kernel, "bandwidth", bandwidth, "C", C, "landmarks", "30", "search", "csa", NULL);
    if (o->C.is_auto || o->bandwidth.is_auto || o->C.lo < o->C.hi || o->bandwidth.lo < o->bandwidth.hi) {
        must(ctx, ny_options_set(ctx, o, "csa-evaluations", "20"));
        must(ctx, ny_options_set(ctx, o, "simplex-evaluations", "30"));
    }
    return train_with_options(ctx, data, o);
}

static void test_what_is_given_is_kept(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "banana", 100, 1, &data));
    ny_model *m = short_search(ctx, data, "rbf", "0.7", "auto");
    for (int64_t i = 0; i < m->record->evaluations; i++) assert_true(m->record->evaluation[i].bandwidth == 0.7);
    assert_true(m->record->evaluations > 20 && m->f.kernel.bandwidth == 0.7);
    ny_model_free(m);
    m = short_search(ctx, data, "rbf", "auto", "7");
    for (int64_t i = 0; i < m->record->evaluations; i++) assert_close(m->record->evaluation[i].C, 7, 1e-14);
    assert_true(m->record->evaluations > 20 && m->C[0] == 7);
    ny_model_free(m);
    m = short_search(ctx, data, "rbf", "0.7", "7"); /* nothing to search */
    assert_true(m->record->evaluations == 1 && m->f.kernel.bandwidth == 0.7 && m->C[0] == 7);
    ny_model_free(m);
    m = short_search(ctx, data, "linear", "auto", "auto"); /* no bandwidth */
    assert_true(m->record->evaluations > 20 && m->record->evaluation[0].bandwidth == m->f.kernel.bandwidth);
    ny_model_free(m);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

static void test_ranges_are_respected(void **state) {
    (void)state;
    static const struct {
        const char *bandwidth, *C;
        bool bandwidth_note, C_note;
        double lo, hi, C_lo, C_hi;
    } cases[] = {{"-4:4:1", "-4:16:1", false, false, 0.0625, 16, 0.0625, 65536},
                 {"4:6:1", "auto", true, false, 16, 64, 0, INFINITY},
                 {"auto", "-20:-18:1", false, true, 0, INFINITY, 0x1p-20, 0x1p-18},
                 {"1:1:1", "3:3:1", false, false, 2, 2, 8, 8}};
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "banana", 100, 1, &data));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ny_model *m = short_search(ctx, data, "rbf", cases[k].bandwidth, cases[k].C);
        for (int64_t i = 0; i < m->record->evaluations; i++) {
            const ny_evaluation *e = &m->record->evaluation[i];
            assert_true(e->bandwidth >= cases[k].lo && e->bandwidth <= cases[k].hi);
            assert_true(e->C >= cases[k].C_lo * (1 - 1e-12) && e->C <= cases[k].C_hi * (1 + 1e-12));
        }
        assert_int_equal(has_note(m, "best bandwidth is the lowest"), cases[k].bandwidth_note);
        assert_int_equal(has_note(m, "best C is the highest"), cases[k].C_note);
        ny_model_free(m);
    }
    ny_data_free(data);
    ny_ctx_free(ctx);
}

typedef struct {
    ny_ctx *ctx;
    int64_t evaluations, stop_after;
} stopper;

static void stop(void *user, const char *stage, double done, double total, double left) {
    stopper *s = user;
    (void)left;
    assert_true(done <= total);
    s->ctx->progress_last = 0; /* every evaluation is reported, however short */
    if (strcmp(stage, "select") == 0 && ++s->evaluations == s->stop_after) ny_cancel(s->ctx);
}

/* Stopped before the first evaluation (five small machines tell the bandwidth, then there is one of all rows), in the
 * annealing (a round that runs is completed) and in the simplex. */
static void test_a_stop_leaves_the_best_so_far(void **state) {
    (void)state;
    static const int64_t after[] = {0, 12, 27}, expected[] = {6, 15, 27};
    enum { N = 100 };
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    double label[N];
    must(ctx, ny_data_generate(ctx, "banana", N, 1, &data));
    for (int k = 0; k < 3; k++) {
        stopper s = {ctx, 0, after[k]};
        ny_model *m = NULL;
        ny_options *o = make_options(ctx, "kernel", "rbf", "landmarks", "30", "search", "csa", "csa-evaluations", "20",
                                     "threads", "1", NULL);
        if (after[k] == 0) ny_cancel(ctx);
        ny_on_progress(ctx, stop, &s);
        assert_int_equal(ny_train(ctx, data, o, &m), NY_STOPPED);
        ny_on_progress(ctx, NULL, NULL);
        assert_non_null(m);
        assert_true(m->record->stopped);
        assert_int_equal(m->record->evaluations, expected[k]);
        for (int64_t i = 0; i < m->record->evaluations; i++)
            assert_true(m->record->expected.value <= m->record->evaluation[i].value * (1 + 1e-12));
        must(ctx, ny_predict(ctx, m, data, NULL, label, NULL, NULL));
        ny_model_free(m);
        ny_options_free(o);
    }
    ny_data_free(data);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_acceptance_sums_to_one),      cmocka_unit_test(test_annealing_finds_the_global_minimum),
        cmocka_unit_test(test_the_best_one_stays),          cmocka_unit_test(test_annealing_of_few_and_of_flat),
        cmocka_unit_test(test_csa_finds_the_grids_optimum), cmocka_unit_test(test_evaluations_are_as_asked),
        cmocka_unit_test(test_same_seed_same_model),        cmocka_unit_test(test_what_is_given_is_kept),
        cmocka_unit_test(test_ranges_are_respected),        cmocka_unit_test(test_a_stop_leaves_the_best_so_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
