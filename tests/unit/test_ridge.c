/* test_ridge.c: the ridge system from moments, by hand: one C for each output, and a matrix that rounding has left
 * indefinite. */
#include "with_ctx.h"

#include "solver/ridge.h"

/* S = diag(4, least), p = (1, 2), s = 8, two outputs with R and t of their own. */
static ny_moments moments(double least) {
    static const double p[] = {1, 2}, R[] = {3, -1, 2, 5}, t[] = {6, -7};
    ny_moments m;
    must(ctx, ny_moments_new(ctx, 2, 2, &m));
    m.S[0] = 4, m.S[3] = least, m.s = 8;
    memcpy(m.p, p, sizeof p);
    memcpy(m.R, R, sizeof R);
    memcpy(m.t, t, sizeof t);
    return m;
}

/* w_k = R_k / (S_kk + 1/C), with S_kk = 0 where that is not positive;   b = (t - p'w) / s */
static void check(double least, bool bias, double C0, double C1) {
    ny_moments m = moments(least);
    double C[2] = {C0, C1}, W[4], b[2];
    must(ctx, ny_moments_solve(ctx, &m, bias, C, W, b));
    for (int j = 0; j < 2; j++) {
        double w0 = m.R[2 * j] / (4 + 1 / C[j]), w1 = m.R[2 * j + 1] / ((least + 1 / C[j] > 0 ? least : 0) + 1 / C[j]);
        assert_close(W[2 * j], w0, 1e-12);
        assert_close(W[2 * j + 1], w1, 1e-12);
        assert_close(b[j], bias ? (m.t[j] - w0 - 2 * w1) / 8 : 0, 1e-12);
    }
    ny_moments_free(&m);
}

static void test_each_output_has_its_C(void **state) {
    (void)state;
    for (int bias = 0; bias < 2; bias++) {
        check(1, bias, 2, 2);
        check(1, bias, 2, 0.5);
        check(1, bias, 1e-3, 1e3);
    }
}

static void test_indefinite_by_rounding(void **state) {
    (void)state;
    for (int bias = 0; bias < 2; bias++) {
        check(-1e-3, bias, 1e6, 1e6);
        check(-1e-3, bias, 2, 1e6); /* the first has a factor, the second none */
        check(-1e-3, bias, 1e6, 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_output_has_its_C),
                                       cmocka_unit_test(test_indefinite_by_rounding)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
