/* test_base.c: what everything else stands on: random numbers and the allocator. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/order.h"
#include "options/limits.h"
#include "with_ctx.h"

/* For the sanitizers: blocks that no machine has are asked for on purpose. */
NY_API const char *__asan_default_options(void);
NY_API const char *__tsan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

/* ---- random numbers
 * ------------------------------------------------------------------------------------------------------ */

enum { DRAWS = 200000, BINS = 64 };

static void uniformity(void **state) {
    (void)state;
    ny_rng rng = ny_rng_make(1, NY_RNG_TEST, 0);
    int64_t count[BINS] = {0};
    double sum = 0, squares = 0, next = 0, last = 0, normal[4] = {0}, chi = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = ny_rng_uniform(&rng);
        assert_true(u >= 0 && u < 1);
        count[(int)(u * BINS)]++;
        sum += u - 0.5;
        squares += (u - 0.5) * (u - 0.5);
        next += (u - 0.5) * last;
        last = u - 0.5;
    }
    for (int k = 0; k < BINS; k++) chi += pow((double)count[k] - DRAWS / BINS, 2) / (DRAWS / BINS);
    assert_true(chi > 25 && chi < 120); /* 63 degrees of freedom: beyond these once in a hundred thousand */
    assert_true(fabs(sum / DRAWS) < 5 * sqrt(1.0 / 12 / DRAWS));
    assert_true(fabs(squares / DRAWS - 1.0 / 12) < 5 * sqrt(1.0 / 180 / DRAWS));
    assert_true(fabs(next / DRAWS) < 5.0 / 12 / sqrt(DRAWS)); /* a number says nothing of the next */
    for (int i = 0; i < DRAWS; i++) {
        double z = ny_rng_normal(&rng), power = 1;
        assert_true(isfinite(z));
        for (int k = 0; k < 4; k++) normal[k] += (power *= z) / DRAWS;
    }
    assert_true(fabs(normal[0]) < 5 / sqrt(DRAWS) && fabs(normal[1] - 1) < 5 * sqrt(2.0 / DRAWS));
    assert_true(fabs(normal[2]) < 5 * sqrt(15.0 / DRAWS) && fabs(normal[3] - 3) < 5 * sqrt(96.0 / DRAWS));
}

/* Streams that differ in seed, purpose or index, each by one, are uncorrelated and share no value at the same place. */
static void streams(void **state) {
    (void)state;
    enum { STREAMS = 6, LENGTH = 20000 };
    static double u[STREAMS][LENGTH];
    ny_rng rng[STREAMS] = {ny_rng_make(1, NY_RNG_TEST, 0),          ny_rng_make(2, NY_RNG_TEST, 0),
                           ny_rng_make(1, NY_RNG_DATA, 0),          ny_rng_make(1, NY_RNG_TEST, 1),
                           ny_rng_make(1, NY_RNG_TEST, UINT32_MAX), ny_rng_make(UINT64_C(1) << 32 | 1, NY_RNG_TEST, 0)};
    for (int s = 0; s < STREAMS; s++)
        for (int i = 0; i < LENGTH; i++) u[s][i] = ny_rng_uniform(&rng[s]);
    for (int s = 0; s < STREAMS; s++)
        for (int t = 0; t < s; t++) {
            double sum = 0;
            int same = 0;
            for (int i = 0; i < LENGTH; i++) {
                sum += (u[s][i] - 0.5) * (u[t][i] - 0.5);
                same += u[s][i] == u[t][i];
            }
            assert_true(fabs(sum / LENGTH) < 5.0 / 12 / sqrt(LENGTH));
            assert_int_equal(same, 0);
        }
    ny_rng again = ny_rng_make(1, NY_RNG_TEST, 0); /* the same key, the same numbers */
    for (int i = 0; i < LENGTH; i++) assert_true(ny_rng_uniform(&again) == u[0][i]);
}

static void below(void **state) {
    (void)state;
    static const int64_t limits[] = {1, 2, 3, 7, 1000, INT32_MAX, (INT64_C(1) << 62) + 1, INT64_MAX};
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 0);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        double mean = 0;
        for (int i = 0; i < 20000; i++) {
            int64_t v = ny_rng_below(&rng, limits[k]);
            assert_true(v >= 0 && v < limits[k]);
            mean += (double)v / (double)limits[k] / 20000;
        }
        double expected = (1 - 1 / (double)limits[k]) / 2;
        assert_true(fabs(mean - expected) < 5 * sqrt(1.0 / 12 / 20000));
    }
    int64_t count[7] = {0};
    double chi = 0;
    for (int i = 0; i < 70000; i++) count[ny_rng_below(&rng, 7)]++;
    for (int k = 0; k < 7; k++) chi += pow((double)count[k] - 10000, 2) / 10000;
    assert_true(chi < 35);

    int64_t v[100], first[5] = {0}; /* every element is as likely to come first as any other */
    for (int i = 0; i < 100; i++) v[i] = i;
    ny_rng_shuffle(&rng, v, 100);
    bool there[100] = {false}, moved = false;
    for (int i = 0; i < 100; i++) there[v[i]] = true, moved |= v[i] != i;
    for (int i = 0; i < 100; i++) assert_true(there[i]);
    assert_true(moved);
    for (int i = 0; i < 50000; i++) {
        int64_t five[] = {0, 1, 2, 3, 4};
        ny_rng_shuffle(&rng, five, 5);
        first[five[0]]++;
    }
    for (int k = 0; k < 5; k++) assert_true(llabs(first[k] - 10000) < 500);
    ny_rng_shuffle(&rng, v, 0);
    ny_rng_shuffle(&rng, v, 1);
}

/* ---- the allocator
 * ------------------------------------------------------------------------------------------------------- */

static void allocator(void **state) {
    (void)state;
    int64_t live = ny_alloc_live();
    assert_int_equal(ny_size3(3, 4, 5), 60);
    assert_int_equal(ny_size3(0, INT64_MAX, INT64_MAX), 0);
    assert_int_equal(ny_size3(INT64_MAX, 1, 1), INT64_MAX);
    assert_int_equal(ny_size3(INT64_MAX, 2, 1), -1);
    assert_int_equal(ny_size3(INT64_C(1) << 31, INT64_C(1) << 31, 4), -1);
    assert_int_equal(ny_size3(-1, 2, 1), -1);
    assert_int_equal(ny_size3(1, -2, -3), -1);

    const int64_t counts[] = {INT64_MAX, INT64_MAX / 8 + 1, INT64_MAX / 8, -1, INT64_MIN, INT64_C(1) << 50};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        ny_error(ctx, NY_OK, "nothing");
        assert_null(ny_alloc(ctx, counts[k], 8));
        assert_non_null(strstr(ny_message(ctx), "out of memory"));
        assert_null(ny_alloc_raw(NULL, counts[k], 8)); /* without a context, too */
    }
    assert_null(ny_alloc_raw(ctx, INT64_MAX, 1));
    for (int64_t size = 0; size < 5000; size += 123) {
        unsigned char *p = ny_alloc(ctx, size, 1);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        for (int64_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
        memset(p, 0xab, (size_t)size);
        unsigned char *q = ny_realloc(ctx, p, size, 2 * size + 1, 1);
        assert_non_null(q);
        for (int64_t i = 0; i < size; i++) assert_int_equal(q[i], 0xab);
        ny_free(q);
    }
    int64_t *large = ny_alloc(ctx, 3 << 20, 8); /* 24 MB: whole huge pages */
    assert_non_null(large);
    assert_int_equal((uintptr_t)large % 64, 0);
    assert_true(large[0] == 0 && large[(3 << 20) - 1] == 0);
    large[(3 << 20) - 1] = 7;
    assert_null(ny_realloc(ctx, large, 3 << 20, INT64_MAX / 8, 8)); /* stays valid */
    assert_int_equal(large[(3 << 20) - 1], 7);
    ny_free(large);
    char *text = ny_strndup(ctx, "abcdef", 3), *made = ny_format(ctx, "%s-%d", "x", 42), *empty = ny_strdup(ctx, "");
    assert_string_equal(text, "abc");
    assert_string_equal(made, "x-42");
    assert_string_equal(empty, "");
    ny_free(text);
    ny_free(made);
    ny_free(empty);
    ny_free(NULL);
    ny_alloc_fail_at(2);
    void *first = ny_alloc(ctx, 1, 1), *second = ny_alloc(ctx, 1, 1), *third = ny_alloc(ctx, 1, 1);
    assert_true(first && !second && third);
    ny_free(first);
    ny_free(third);
    assert_int_equal(ny_alloc_live(), live);
}

/* What is in use, by whichever context, counts; a refusal leaves everything as it was and tells the numbers. */
static void budget(void **state) {
    (void)state;
    int64_t before = ny_alloc_bytes(), live = ny_alloc_live();
    char *most = ny_alloc(ctx, 40 << 20, 1);
    assert_non_null(most);
    ctx->memory = before + (64 << 20);
    assert_null(ny_alloc(ctx, 30 << 20, 1));
    assert_non_null(strstr(ny_message(ctx), "31.5 MB more"));
    assert_non_null(strstr(ny_message(ctx), "--memory"));
    assert_int_equal(ny_alloc_bytes(), before + (40 << 20));
    char *rest = ny_alloc(ctx, 20 << 20, 1);
    assert_non_null(rest);
    assert_null(ny_realloc(ctx, rest, 20 << 20, 21 << 20, 1)); /* both at once would be too much; rest stays */
    rest[0] = 1;
    ny_free(most);
    rest = ny_realloc(ctx, rest, 20 << 20, 21 << 20, 1);
    assert_true(rest && rest[0] == 1);
    char *other = ny_alloc(NULL, 60 << 20, 1); /* without a context there is no limit */
    assert_non_null(other);
    ny_free(other);
    ny_free(rest);
    enum { BLOCKS = 1 << 16 };
    static char *small[BLOCKS];
    int64_t made = 0;
    ctx->memory = before + (8 << 20);
    while (made < BLOCKS && (small[made] = ny_alloc(ctx, 1, 1))) made++;
    assert_true(made > 10000 && made < BLOCKS); /* what they take beside their byte counts */
    ctx->memory = 0;
    while (made > 0) ny_free(small[--made]);
    assert_int_equal(ny_alloc_live(), live);
}

/* ny_begin holds until the next one; without it a reading has the limits for itself. */
static void run_limits(void **state) {
    (void)state;
    ny_options *options = ny_options_new(ctx);
    assert_int_equal(ny_options_set(ctx, options, "memory", "64M"), NY_OK);
    assert_int_equal(ny_options_set(ctx, options, "time-limit", "5"), NY_OK);
    ny_limits before = ny_limits_enter(ctx, options);
    assert_int_equal(ctx->memory, 64 << 20);
    assert_true(ctx->deadline > ny_now() + 4);
    ny_limits_leave(ctx, before);
    assert_true(ctx->memory == 0 && ctx->deadline == 0);
    ny_begin(ctx, options);
    double deadline = ctx->deadline;
    assert_int_equal(ny_options_set(ctx, options, "memory", "1G"), NY_OK);
    before = ny_limits_enter(ctx, options);
    assert_true(ctx->memory == 64 << 20 && ctx->deadline == deadline);
    ny_limits_leave(ctx, before);
    ny_begin(ctx, NULL);
    assert_true(ctx->memory == 0 && ctx->deadline == 0);
    ctx->deadline = ny_now() + 10;
    assert_false(ny_should_stop(ctx));
    ctx->reserve = 20; /* the end needs more than is left */
    assert_true(ny_should_stop(ctx));
    ctx->deadline = ctx->reserve = 0;
    ny_options_free(options);
}

/* A stop is heard until it is taken; then the finishing step has its grace, and when that is over it is stopped too. */
static void one_stop(void **state) {
    (void)state;
    ny_stop_grace(ctx, ny_now() + 100); /* nothing was stopped: there is no grace */
    assert_true(ctx->grace == 0 && !ny_should_stop(ctx));
    ny_cancel(ctx);
    assert_true(ny_should_stop(ctx) && !ctx->stopped);
    ny_stop_take(ctx);
    assert_true(ctx->stopped && !ny_should_stop(ctx));
    ny_stop_grace(ctx, ny_now() - 1);
    assert_true(ny_should_stop(ctx) && ctx->stopped);
    ny_stop_grace(ctx, INFINITY);
    assert_false(ny_should_stop(ctx));
    ny_stop_forget(ctx);
    assert_true(!ctx->stopped && ny_should_stop(ctx)); /* who forgets a stop has not heard the user */
    ctx->cancelled = 0;
    assert_false(ny_should_stop(ctx));
}

/* The least value with more than the share of the weight at or below it; where weights meet the share, the next. */
static void orders(void **state) {
    (void)state;
    const ny_weighed even[] = {{3, 1}, {1, 1}, {4, 1}, {2, 1}}, uneven[] = {{5, 2}, {-1, 0.5}, {9, 0.5}};
    static const struct {
        double share, value;
    } of_even[] = {{0, 1}, {0.2, 1}, {0.25, 2}, {0.5, 3}, {0.6, 3}, {0.75, 4}, {1, 4}},
      of_uneven[] = {{0.1, -1}, {0.2, 5}, {0.5, 5}, {0.8, 5}, {0.9, 9}};
    ny_weighed v[4];
    for (size_t k = 0; k < sizeof of_even / sizeof *of_even; k++) {
        memcpy(v, even, sizeof even);
        assert_true(ny_order_share(v, 4, of_even[k].share) == of_even[k].value);
    }
    for (size_t k = 0; k < sizeof of_uneven / sizeof *of_uneven; k++) {
        memcpy(v, uneven, sizeof uneven);
        assert_true(ny_order_share(v, 3, of_uneven[k].share) == of_uneven[k].value);
    }
    double x[] = {5, 1, 4, 1, 3, 2};
    for (int64_t at = 0; at < 6; at++) assert_true(ny_order_select(x, 6, at) == (at < 2 ? 1 : (double)at));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniformity), cmocka_unit_test(streams),   cmocka_unit_test(below),
        cmocka_unit_test(orders),     cmocka_unit_test(allocator), cmocka_unit_test(budget),
        cmocka_unit_test(run_limits), cmocka_unit_test(one_stop),
    };
    return cmocka_run_group_tests_name("random numbers and memory", tests, setup, teardown);
}
