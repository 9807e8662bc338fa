/* test_plugin.c: plug-in bandwidths against R's, binned density functionals against all pairs, columns that have no
 * bandwidth. */
#include <math.h>

#include "landmark/density.h"
#include "landmark/plugin.h"
#include "with_ctx.h"

enum { MOST = 20001 };
static double x[MOST];
/* n normal numbers from a generator that R can follow: s = 16807 s mod 2^31 - 1 from 12345, u = s / (2^31 - 1),
 * sqrt(-2 log u1) cos(2 pi u2). */
static void normal(int64_t n) {
    int64_t s = 12345;
    for (int64_t i = 0; i < n; i++) {
        double u[2];
        for (int k = 0; k < 2; k++) u[k] = (double)(s = 16807 * s % 2147483647) / 2147483647;
        x[i] = sqrt(-2 * log(u[0])) * cos(2 * M_PI * u[1]);
    }
}

static double bandwidth(int64_t n) {
    double h = -1;
    must(ctx, ny_plugin_bandwidth(ctx, n, x, &h));
    assert_true(h > 0 && isfinite(h));
    return h;
}

static void near(double ours, double theirs, double share) {
    if (!(fabs(ours / theirs - 1) <= share)) fail_msg("%.10g is not within %g of %.10g", ours, share, theirs);
}

/* Expected: R 4.2.2, bw.SJ(x, nb = 20000, method = "ste", tol = 1e-7 * IQR(x)); for `outlier`, which R's equal bins do
 * not resolve, the same equation in R with sums over all pairs. */
static void test_equals_r(void **state) {
    (void)state;
    normal(400);
    near(bandwidth(400), 0.3062450093, 0.005);
    normal(5000);
    for (int64_t i = 0; i < 5000; i++) x[i] = i % 5 < 3 ? x[i] : 4 + x[i] / 2;
    near(bandwidth(5000), 0.1492842076, 0.005);
    normal(5000);
    for (int64_t i = 0; i < 5000; i++) x[i] = exp(1.5 * x[i]);
    near(bandwidth(5000), 0.05989672532, 0.005);
    normal(3000);
    for (int64_t i = 0; i < 3000; i++) x[i] = floor(5 * x[i]);
    near(bandwidth(3000), 0.08738329888, 0.005);
    normal(20000);
    near(bandwidth(20000), 0.1496472869, 0.005);
    normal(4000);
    x[4000] = 1e6;
    near(bandwidth(4001), 0.2066438011, 0.005);
}

/* The same equation in R with sums over all pairs: here the binning is the only difference. */
static void test_binning_hardly_shows(void **state) {
    (void)state;
    normal(5000);
    for (int64_t i = 0; i < 5000; i++) x[i] = i % 5 < 3 ? x[i] : 4 + x[i] / 2;
    near(bandwidth(5000), 0.1492794974, 0.001);
    normal(5000);
    for (int64_t i = 0; i < 5000; i++) x[i] = exp(1.5 * x[i]);
    near(bandwidth(5000), 0.05976934247, 0.001);
}

static double all_pairs(int64_t n, int r, double g) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double t = (x[i] - x[j]) / g * ((x[i] - x[j]) / g);
            sum += (r == 4 ? t * t - 6 * t + 3 : t * t * t - 15 * t * t + 45 * t - 15) * exp(-t / 2);
        }
    return sum / ((double)n * (double)(n - 1) * pow(g, r + 1) * sqrt(2 * M_PI));
}

static void test_functionals_equal_all_pairs(void **state) {
    (void)state;
    enum { N = 2000 };
    static const double widths[] = {0.05, 0.2, 0.8};
    static double scratch[N];
    double worst[2] = {0, 0};
    for (int shape = 0; shape < 3; shape++) { /* normal, mixture, and many ties with few distinct values */
        normal(N);
        for (int64_t i = 0; i < N; i++)
            x[i] = shape == 0 ? x[i] : shape == 1 && i % 3 ? 4 + x[i] / 3 : floor(9 * x[i]) / 9;
        ny_sort(N, x, scratch);
        for (int64_t i = 1; i < N; i++) assert_true(x[i - 1] <= x[i]);
        for (int k = 0; k < 3; k++)
            for (int r = 4; r <= 6; r += 2) {
                double g = widths[k], exact = all_pairs(N, r, g);
                ny_distances d;
                must(ctx, ny_distances_make(ctx, N, x, g / 32, 50, &d));
                double error = fabs(ny_density_functional(&d, r, g) / exact - 1);
                if (d.step == 0) assert_true(error < 1e-10);
                else if (d.step * 40 > g) worst[r == 6] = fmax(worst[r == 6], error);
                assert_true(error < 2e-3);
                ny_distances_clear(&d);
            }
    }
    /* Bins exactly as wide as allowed, 4096 for a range of 128 g: two clusters far apart, values with two decimals. */
    for (int k = 0; k < 3; k++) {
        double apart = k == 0 ? 10 : k == 1 ? 40 : 160;
        normal(N);
        for (int64_t i = 0; i < N; i++) x[i] = floor(100 * x[i]) / 100 + (i % 2 ? apart : 0);
        ny_sort(N, x, scratch);
        for (int r = 4; r <= 6; r += 2) {
            double g = (x[N - 1] - x[0]) / (4094.0 / 32), exact = all_pairs(N, r, g);
            ny_distances d;
            must(ctx, ny_distances_make(ctx, N, x, g / 32, 1000, &d));
            near(d.step, g / 32, 1e-9);
            worst[r == 6] = fmax(worst[r == 6], fabs(ny_density_functional(&d, r, g) / exact - 1));
            assert_true(worst[r == 6] < 2e-3);
            ny_distances_clear(&d);
        }
    }
    print_message("largest error of psi_4 %.2g, of psi_6 %.2g\n", worst[0], worst[1]);
}

/* Shortened gaps change nothing as long as they are long beside g. */
static void test_gaps(void **state) {
    (void)state;
    static double scratch[2000];
    normal(2000);
    for (int64_t i = 0; i < 1000; i++) x[i] += i % 2 ? 1e9 : -5e7;
    ny_sort(2000, x, scratch);
    ny_distances d;
    must(ctx, ny_distances_make(ctx, 2000, x, 0.3 / 32, 20, &d));
    near(ny_density_functional(&d, 4, 0.3), all_pairs(2000, 4, 0.3), 3e-3);
    near(ny_density_functional(&d, 6, 0.3), all_pairs(2000, 6, 0.3), 3e-3);
    ny_distances_clear(&d);
}

static void test_degenerate_columns(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++) x[i] = 0.1;
    assert_true(bandwidth(1000) == 0.1); /* constant: the value itself, and 1 for 0 */
    assert_true(bandwidth(1) == 0.1);
    for (int i = 0; i < 1000; i++) x[i] = 0;
    assert_true(bandwidth(1000) == 1);
    for (int i = 0; i < 1000; i++) x[i] = i < 100; /* interquartile range 0: the reference rule */
    double sd = sqrt(0.09 * 1000 / 999);
    near(bandwidth(1000), 1.06 * sd * pow(1000, -0.2), 1e-12);
    for (int i = 0; i < 1000; i++) x[i] *= 1e300;
    near(bandwidth(1000), 1.06 * sd * pow(1000, -0.2) * 1e300, 1e-12);
    for (int i = 0; i < 1000; i++) x[i] = i % 2;
    bandwidth(1000);
    x[0] = -1e308, x[1] = 1e308;
    bandwidth(2);
    bandwidth(3);
    x[0] = 1, x[1] = 2;
    bandwidth(2);
    x[1] = nextafter(1, 2);
    bandwidth(2);
    x[0] = 0, x[1] = 5e-324;
    bandwidth(2);
    normal(3000); /* shift and scale */
    double h = bandwidth(3000);
    for (int i = 0; i < 3000; i++) x[i] = 1e-200 * (x[i] + 100);
    near(bandwidth(3000), 1e-200 * h, 1e-6);
    x[5] = NAN;
    assert_int_equal(ny_plugin_bandwidth(ctx, 3000, x, &h), NY_ERR_NUMERIC);
    x[5] = INFINITY;
    assert_int_equal(ny_plugin_bandwidth(ctx, 3000, x, &h), NY_ERR_NUMERIC);
}

/* Columns with 2%, 20%, 50% and 100% of their entries not zero. */
static void test_sparse_columns_equal_dense(void **state) {
    (void)state;
    enum { N = 1000, D = 4 };
    static const int share[D] = {2, 20, 50, 100};
    static double dense[N * D], val[N * D], h[D], hs[D];
    static int64_t ptr[N + 1];
    static int32_t idx[N * D];
    normal(N * D);
    for (int64_t i = 0, e = 0; i < N; i++) {
        for (int32_t j = 0; j < D; j++) {
            if ((i * 37) % 100 >= share[j]) continue;
            dense[j + i * D] = val[e] = x[j + i * D];
            idx[e++] = j;
        }
        ptr[i + 1] = e;
    }
    ny_matrix A = {.d = D, .n = N, .x = dense}, B = {.d = D, .n = N, .ptr = ptr, .idx = idx, .val = val};
    must(ctx, ny_plugin_bandwidths(ctx, &A, h));
    must(ctx, ny_plugin_bandwidths(ctx, &B, hs));
    for (int j = 0; j < D; j++) near(hs[j], h[j], 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_r),
        cmocka_unit_test(test_binning_hardly_shows),
        cmocka_unit_test(test_functionals_equal_all_pairs),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_degenerate_columns),
        cmocka_unit_test(test_sparse_columns_equal_dense),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
