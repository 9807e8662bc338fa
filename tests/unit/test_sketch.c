/* test_sketch.c: ranks from a quantile sketch against counts over all numbers: in every order of arrival, with ties and
 * heavy tails, and merged in several ways. */
#include <math.h>

#include "base/order.h"
#include "scale/sketch.h"
#include "with_ctx.h"

enum { N = 60000, SIZE = 64, PARTS = 7 };

static const char *const shapes[] = {"sorted", "reversed", "random", "ties", "cauchy", "one rare value", "organ pipe"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void fill(int shape, double *x) {
    for (int i = 0; i < N; i++) {
        ny_rng rng = ny_rng_make(3, NY_RNG_TEST, (uint32_t)i);
        double u = ny_rng_uniform(&rng);
        x[i] = shape == 0   ? i
               : shape == 1 ? -i
               : shape == 2 ? u
               : shape == 3 ? floor(12 * u * u)
               : shape == 4 ? tan(M_PI * (u - 0.5))
               : shape == 5 ? (i == N / 2 ? -7 : floor(20 * u))
                            : abs(i - N / 2);
    }
}

/* By counting: the numbers below v and those at or below it. */
static void count(const double *sorted, double v, double *below, double *through) {
    int64_t a = 0, b = N;
    while (a < b) {
        int64_t middle = (a + b) / 2;
        if (sorted[middle] < v) a = middle + 1;
        else b = middle;
    }
    *below = (double)a;
    while (a < N && sorted[a] == v) a++;
    *through = (double)a;
}

/* Weights, ends, and at every value the weight below it and through it. slack: how much the bound may be above what the
 * header says. */
static void expect_ranks(const ny_sketch *s, const double *sorted, double slack) {
    ny_ordered v = {0};
    double below = 0, a, b, bound = (double)ny_sketch_error(s);
    assert_int_equal(s->count, N);
    assert_true(bound <= N * (log2((double)N / SIZE) + 1) / (4.0 * SIZE) + slack);
    must(ctx, ny_sketch_order(ctx, s, &v));
    assert_true(v.value[0] == sorted[0] && v.value[v.n - 1] == sorted[N - 1]);
    for (int64_t i = 0; i < v.n; i++) {
        count(sorted, v.value[i], &a, &b);
        assert_true(b > a || v.weight[i] == 0); /* it was among them */
        assert_true(i == 0 || v.value[i - 1] < v.value[i]);
        assert_true(fabs(below - a) <= bound + 1); /* 1: for the ends, which are put back */
        below += v.weight[i];
        assert_true(fabs(below - b) <= bound + 1);
    }
    assert_true(below == N && v.total == N);
    ny_ordered_clear(&v);
}

static void ranks_are_within_the_bound(void **state) {
    (void)state;
    double *x = malloc(N * sizeof *x), *sorted = malloc(N * sizeof *x), *room = malloc(N * sizeof *x);
    for (int shape = 0; shape < SHAPES; shape++) {
        ny_sketch s, other;
        print_message("%s\n", shapes[shape]);
        fill(shape, x);
        memcpy(sorted, x, N * sizeof *x);
        ny_order_sort(sorted, room, N);
        for (int i = 1; i < N; i++) assert_true(sorted[i - 1] <= sorted[i]);
        must(ctx, ny_sketch_begin(ctx, SIZE, &s));
        must(ctx, ny_sketch_begin(ctx, SIZE, &other));
        must(ctx, ny_sketch_add(ctx, &s, x, 1, 1000));
        for (int i = 1000; i < N; i++) must(ctx, ny_sketch_add(ctx, &s, x + i, 1, 1));
        expect_ranks(&s, sorted, 0);
        must(ctx, ny_sketch_add(ctx, &other, x, 1, N)); /* how it is cut into pieces makes no difference */
        assert_int_equal(ny_sketch_error(&s), ny_sketch_error(&other));
        assert_memory_equal(s.open, other.open, (size_t)s.waiting * sizeof *s.open);
        ny_sketch_clear(&s);
        ny_sketch_clear(&other);
    }
    free(x);
    free(sorted);
    free(room);
}

/* Parts of unequal length joined from the left, from the right, and in pairs. */
static void merging_keeps_the_bound(void **state) {
    (void)state;
    double *x = malloc(N * sizeof *x), *sorted = malloc(N * sizeof *x), *room = malloc(N * sizeof *x);
    for (int shape = 0; shape < SHAPES; shape++)
        for (int way = 0; way < 3; way++) {
            ny_sketch part[PARTS], all;
            fill(shape, x);
            memcpy(sorted, x, N * sizeof *x);
            ny_order_sort(sorted, room, N);
            for (int64_t p = 0, at = 0; p < PARTS; p++) {
                int64_t size = p == PARTS - 1 ? N - at : N / 100 * (p * p + 1);
                must(ctx, ny_sketch_begin(ctx, SIZE, &part[p]));
                must(ctx, ny_sketch_add(ctx, &part[p], x + at, 1, size));
                at += size;
            }
            must(ctx, ny_sketch_begin(ctx, SIZE, &all));
            must(ctx, ny_sketch_merge(ctx, &all, &all)); /* nothing with nothing */
            for (int p = 0; p < PARTS; p++)
                if (way < 2) must(ctx, ny_sketch_merge(ctx, &all, &part[way == 0 ? p : PARTS - 1 - p]));
                else if (p + 1 < PARTS) must(ctx, ny_sketch_merge(ctx, &part[p + 1], &part[p]));
            if (way == 2) must(ctx, ny_sketch_merge(ctx, &all, &part[PARTS - 1]));
            expect_ranks(&all, sorted, N / (2.0 * SIZE)); /* one step of the highest level */
            for (int p = 0; p < PARTS; p++) ny_sketch_clear(&part[p]);
            ny_sketch_clear(&all);
        }
    free(x);
    free(sorted);
    free(room);
}

/* As long as no buffer was thinned the order is the true one. */
static void few_numbers_are_exact(void **state) {
    (void)state;
    double x[2 * SIZE - 1];
    ny_sketch s;
    ny_ordered v = {0};
    for (int i = 0; i < 2 * SIZE - 1; i++) x[i] = (i * 37) % (2 * SIZE - 1);
    must(ctx, ny_sketch_begin(ctx, SIZE, &s));
    must(ctx, ny_sketch_add(ctx, &s, x, 1, 2 * SIZE - 1));
    assert_int_equal(ny_sketch_error(&s) + ny_sketch_grain(&s), 0);
    must(ctx, ny_sketch_order(ctx, &s, &v));
    assert_int_equal(v.n, 2 * SIZE - 1);
    for (int64_t i = 0; i < v.n; i++) assert_true(v.value[i] == (double)i && v.weight[i] == 1);
    ny_ordered_clear(&v);
    ny_sketch_clear(&s);
}

/* A value that is there once among thousands still counts as one of the few, also after a merge. */
static void few_values_are_counted_exactly(void **state) {
    (void)state;
    for (int different = 1; different <= NY_SKETCH_FEW + 3; different++) {
        ny_sketch a, b;
        must(ctx, ny_sketch_begin(ctx, SIZE, &a));
        must(ctx, ny_sketch_begin(ctx, SIZE, &b));
        for (int i = 0; i < 5000; i++) {
            double x = i < different ? i : 0;
            must(ctx, ny_sketch_add(ctx, i % 2 ? &a : &b, &x, 1, 1));
        }
        must(ctx, ny_sketch_merge(ctx, &a, &b));
        assert_int_equal(a.distinct, different < NY_SKETCH_FEW + 1 ? different : NY_SKETCH_FEW + 1);
        ny_sketch_clear(&a);
        ny_sketch_clear(&b);
    }
}

/* Whichever allocation fails while numbers come, two sketches become one and the order is asked for: the status says
 * so, and nothing is lost but the sketch. */
static void failing_allocations(void **state) {
    (void)state;
    enum { SMALL = 8, MANY = 200 };
    double x[MANY];
    int64_t live = ny_alloc_live();
    for (int i = 0; i < MANY; i++) x[i] = (i * 37) % 101;
    for (int64_t k = 1;; k++) {
        ny_sketch a = {0}, b = {0};
        ny_ordered v = {0};
        int64_t before = ny_alloc_count();
        ny_alloc_fail_at(k);
        ny_status st = ny_sketch_begin(ctx, SMALL, &a);
        if (st == NY_OK) st = ny_sketch_begin(ctx, SMALL, &b);
        if (st == NY_OK) st = ny_sketch_add(ctx, &a, x, 1, MANY);
        if (st == NY_OK) st = ny_sketch_add(ctx, &b, x, 2, MANY / 2);
        if (st == NY_OK) st = ny_sketch_merge(ctx, &a, &b);
        if (st == NY_OK) st = ny_sketch_order(ctx, &a, &v);
        ny_alloc_fail_at(0);
        bool failed = ny_alloc_count() - before >= k;
        assert_int_equal(st, failed ? NY_ERR_MEMORY : NY_OK);
        ny_ordered_clear(&v);
        ny_sketch_clear(&a);
        ny_sketch_clear(&b);
        assert_int_equal(ny_alloc_live(), live);
        if (!failed) break;
        assert_true(k < 1000);
    }
}

static void sorting(void **state) {
    (void)state;
    double x[] = {3, -0.0, 1e-300, -1e300, 0, 5e-324, -5e-324, 2, 2, -7}, room[10];
    const double want[] = {-1e300, -7, -5e-324, 0, 0, 5e-324, 1e-300, 2, 2, 3};
    ny_order_sort(x, room, 10);
    for (int i = 0; i < 10; i++) assert_true(x[i] == want[i]);
    ny_order_sort(x, room, 0);
    ny_order_sort(x, room, 1);
    assert_true(x[0] == -1e300);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorting),
                                       cmocka_unit_test(failing_allocations),
                                       cmocka_unit_test(few_numbers_are_exact),
                                       cmocka_unit_test(few_values_are_counted_exactly),
                                       cmocka_unit_test(ranks_are_within_the_bound),
                                       cmocka_unit_test(merging_keeps_the_bound)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
