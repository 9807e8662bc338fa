/* test_span_gradient.c: the derivatives that --search gradient follows, against difference quotients of values that are
 * computed anew: by C, by single features, by the bandwidth through every form of the factor; and the search itself. */
#include "path_sets.h"

#include "criterion/path.h"

static const char *const FOLLOWED[] = {"span", "smooth-span", "radius-margin"};

static void slopes_of(set *s, const ny_criterion *criterion, double C, double *out) {
    ny_judge judge;
    ny_C_list list = {1, true, &C};
    must(ctx, ny_judge_new(ctx, criterion, NY_ITERATIVE, problem_of(s), 1, &judge));
    must(ctx, ny_path_visit(ctx, judge.state, &list, criterion->gradient, 2 + s->r * s->n, out));
    ny_judge_clear(&judge);
}

/* Values to the digits that difference quotients need; without `soft` the span rule at the machine of a descent of our
 * own. */
static double value_of(set *s, const ny_criterion *criterion, double C) {
    static double out[2 + MOST * MOST];
    slopes_of(s, criterion, C, out);
    return out[0];
}

/* The value anew: from an independent descent, refits, and for smooth-span the paper's own formula, the inverse of the
 * bordered matrix of kappa_lambda + eta / alpha on E:  alpha_p S_p^2 = alpha_p / inverse_pp - eta. */
static double smooth_anew(const set *s, double C) {
    static double K[(MOST + 1) * (MOST + 1)], inverse[(MOST + 1) * (MOST + 1)];
    double w[MOST], b, f[MOST], sum = 0, weight = 0;
    int64_t E[MOST], k = 0;
    descend(s, C, w, &b);
    outputs(s, w, b, f);
    for (int64_t i = 0; i < s->n; i++)
        if (s->y[i] * f[i] < 1) E[k++] = i;
    int64_t m = k + 1;
    memset(K, 0, sizeof K);
    memset(inverse, 0, sizeof inverse);
    for (int64_t a = 0; a < k; a++) {
        double xi = slack(s->y[E[a]], f[E[a]]), alpha = C * s->v[E[a]] * xi;
        for (int64_t c = 0; c < k; c++)
            for (int64_t l = 0; l < s->r; l++) K[a + c * m] += s->G[l + E[a] * s->r] * s->G[l + E[c] * s->r];
        K[a + a * m] += 1 / (C * s->v[E[a]]) + 0.1 / alpha;
        K[a + k * m] = K[k + a * m] = 1;
    }
    for (int64_t a = 0; a < m; a++) inverse[a + a * m] = 1;
    for (int64_t col = 0; col < m; col++) { /* Gauss and Jordan, with pivots */
        int64_t top = col;
        for (int64_t a = col; a < m; a++)
            if (fabs(K[a + col * m]) > fabs(K[top + col * m])) top = a;
        for (int64_t c = 0; c < m; c++) {
            double t = K[col + c * m], i = inverse[col + c * m];
            K[col + c * m] = K[top + c * m], K[top + c * m] = t;
            inverse[col + c * m] = inverse[top + c * m], inverse[top + c * m] = i;
        }
        for (int64_t a = 0; a < m; a++) {
            double by = a == col ? 0 : K[a + col * m] / K[col + col * m];
            for (int64_t c = 0; by != 0 && c < m; c++) {
                K[a + c * m] -= by * K[col + c * m];
                inverse[a + c * m] -= by * inverse[col + c * m];
            }
        }
    }
    for (int64_t i = 0; i < s->n; i++) weight += s->v[i], sum += s->v[i] / (1 + exp(5));
    for (int64_t a = 0; a < k; a++) {
        double alpha = C * s->v[E[a]] * slack(s->y[E[a]], f[E[a]]);
        double span = alpha * K[a + a * m] / inverse[a + a * m] - 0.1;
        sum += s->v[E[a]] * (1 / (1 + exp(-5 * (span - 1))) - 1 / (1 + exp(5)));
    }
    return sum / weight;
}

static double anew(set *s, int which, double C) {
    double F[MOST], w[MOST], b, sum = 0, least, most;
    bool in[MOST];
    if (which == 1) return smooth_anew(s, C);
    descend(s, C, w, &b);
    outputs(s, w, b, F);
    if (which == 2) {
        for (int64_t i = 0; i < s->n; i++) sum += C * s->v[i] * slack(s->y[i], F[i]);
        bracket(s, 2 / C, &least, &most);
        return 2 * (least + most) * sum / (double)s->n;
    }
    for (int64_t i = 0; i < s->n; i++) in[i] = s->y[i] * F[i] < 1;
    refit_squares(s, in, 2 / C, F);
    return mean_loss(s, F);
}

static void test_values(void **state) {
    (void)state;
    static set s;
    for (int c = 0; c < 2 * SETS; c++)
        for (int which = 0; which < 3; which++) {
            const char *name = make_set(&s, c % SETS, 50, c % 2 ? 15 : 50, c / SETS);
            for (double C = 0.3; C < 100; C *= 17) {
                double value = value_of(&s, ny_criterion_find(FOLLOWED[which]), C), again = anew(&s, which, C);
                print_message("%-10s %-13s C %5.3g: %.8g, anew %.8g\n", name, FOLLOWED[which], C, value, again);
                assert_close(value, again, which == 2 ? 1e-5 : 1e-6);
            }
        }
}

/* The least of three difference quotients' distances: rows that cross the margin within a step spoil one of them. */
static double off_by(double slope, double (*at)(set *, const ny_criterion *, double, int64_t, double), set *s,
                     const ny_criterion *criterion, double C, int64_t entry) {
    double least = INFINITY, size = 0;
    for (double h = 1e-3; h > 1e-6; h /= 10) {
        double quotient = (at(s, criterion, C, entry, h) - at(s, criterion, C, entry, -h)) / (2 * h);
        if (fabs(quotient - slope) < least) least = fabs(quotient - slope), size = fabs(quotient);
    }
    return least / (1e-3 + size + fabs(slope));
}

static double at_C(set *s, const ny_criterion *criterion, double C, int64_t entry, double h) {
    (void)entry;
    return value_of(s, criterion, C * exp(h));
}

static double at_feature(set *s, const ny_criterion *criterion, double C, int64_t entry, double h) {
    double before = s->G[entry];
    s->G[entry] += h;
    double value = value_of(s, criterion, C);
    s->G[entry] = before;
    return value;
}

static void test_derivatives(void **state) {
    (void)state;
    static set s;
    static double out[2 + MOST * MOST];
    for (int c = 0; c < 2 * SETS; c++)
        for (int which = 0; which < 3; which++) {
            const ny_criterion *criterion = ny_criterion_find(FOLLOWED[which]);
            double worst_C = 0, worst_G = 0;
            const char *name = make_set(&s, c % SETS, 50, c % 2 ? 15 : 50, c / SETS);
            if (c % SETS == COINCIDING && which == 2) continue; /* several rows on the sphere: the weights are not one */
            for (double C = 0.3; C < 10; C *= 7) {
                slopes_of(&s, criterion, C, out);
                double by_C = out[1];
                worst_C = fmax(worst_C, off_by(by_C, at_C, &s, criterion, C, 0));
                for (int64_t entry = c % 7; entry < s.r * s.n; entry += 1 + s.r * s.n / 17) {
                    slopes_of(&s, criterion, C, out);
                    worst_G = fmax(worst_G, off_by(out[2 + entry], at_feature, &s, criterion, C, entry));
                }
            }
            print_message("%-10s %-13s off by %.1e (C), %.1e (features)\n", name, FOLLOWED[which], worst_C, worst_G);
            assert_true(worst_C < 1e-4 && worst_G < 1e-4);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_derivatives)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
