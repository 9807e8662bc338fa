/* test_loss.c: what every loss must satisfy; a new one is tested unasked, once its definition stands in `sharp`. */
#include "support.h"

#include <math.h>

#include "loss/loss.h"
#include "solver/machine.h"

enum { GRID = 241, LEVELS = 3, WIDTHS = 4 };
static const double levels[LEVELS] = {0.1, 0.5, 0.9}, widths[WIDTHS] = {0, 0.01, 0.3, 1};

/* The losses as their papers have them. */
static double sharp(const ny_loss_params *p, double y, double f) {
    const char *name = p->loss->name;
    double e = y - f, slack = fmax(0, 1 - y * f), level = p->level;
    if (strcmp(name, "squared") == 0) return e * e / 2;
    if (strcmp(name, "hinge") == 0) return slack;
    if (strcmp(name, "squared_hinge") == 0) return slack * slack / 2;
    if (strcmp(name, "logistic") == 0) return -log(1 / (1 + exp(-y * f)));
    if (strcmp(name, "insensitive") == 0) return fmax(0, fabs(e) - level);
    if (strcmp(name, "huber") == 0) return fabs(e) <= level ? e * e / 2 : level * (fabs(e) - level / 2);
    if (strcmp(name, "pinball") == 0) return e > 0 ? level * e : (level - 1) * e;
    fail_msg("loss %s: its definition is not in this test", name);
    return 0;
}

typedef struct {
    double value, first, second;
} point;

static point at(const ny_loss_params *p, double y, double f) {
    point x;
    p->loss->at(p, 1, &y, &f, &x.value, &x.first, &x.second);
    return x;
}

/* Calls `check` for every loss, level, width and target, and outputs from y - 6 to y + 6, none of them on a corner but
 * the middle one. */
static void everywhere(void (*check)(const ny_loss_params *p, double y, const double *f)) {
    for (int64_t k = 0; ny_loss_at(k); k++)
        for (int c = 0; c < LEVELS * WIDTHS; c++)
            for (int t = 0; t < 2; t++) {
                const ny_loss *loss = ny_loss_at(k);
                ny_loss_params p = {loss, widths[c % WIDTHS], levels[c / WIDTHS]};
                double y = loss->classes ? 2 * t - 1 : 3.7 * t - 1.2, f[GRID];
                for (int i = 0; i < GRID; i++) f[i] = y + (i - GRID / 2) * 0.049713;
                check(&p, y, f);
            }
}

/* (value(b) - value(a)) / (b - a) lies between the slopes at a and b, corners or not; likewise for the slopes, where
 * they have no jump. */
static void check_derivatives(const ny_loss_params *p, double y, const double *f) {
    const double e = 1e-5;
    bool corners = p->loss->rounding && p->width == 0;
    for (int i = 0; i < GRID; i++) {
        point a = at(p, y, f[i] - e), x = at(p, y, f[i]), b = at(p, y, f[i] + e);
        double slope = (b.value - a.value) / (2 * e), curve = (b.first - a.first) / (2 * e);
        assert_true(a.first - 1e-9 <= slope && slope <= b.first + 1e-9);
        assert_true(a.first <= x.first && x.first <= b.first);
        if (corners) assert_true(x.second == 0);
        else
            assert_true(fmin(fmin(a.second, x.second), b.second) - 1e-6 <= curve &&
                        curve <= fmax(fmax(a.second, x.second), b.second) + 1e-6);
    }
}

static void test_derivatives(void **state) {
    (void)state;
    everywhere(check_derivatives);
}

static void check_convex(const ny_loss_params *p, double y, const double *f) {
    point x[GRID];
    for (int i = 0; i < GRID; i++) {
        x[i] = at(p, y, f[i]);
        assert_true(x[i].value >= 0 && x[i].second >= 0);
        assert_true(i == 0 || x[i].first >= x[i - 1].first);
    }
    for (int i = 0; i < GRID; i++)
        for (int j = 0; j < GRID; j++) assert_true(x[j].value >= x[i].value + x[i].first * (f[j] - f[i]) - 1e-12);
}

static void test_convex(void **state) {
    (void)state;
    everywhere(check_convex);
}

/* sharp <= rounded <= sharp + h/4 for each corner; two of them count where they are closer than 2 h. */
static void check_rounded(const ny_loss_params *p, double y, const double *f) {
    bool two = p->loss == &ny_loss_insensitive && p->level < p->width;
    double most = p->loss->rounding ? p->width / 4 * (two ? 2 : 1) : 0;
    for (int i = 0; i < GRID; i++) {
        double over = at(p, y, f[i]).value - sharp(p, y, f[i]);
        assert_true(over >= -1e-14 && over <= most + 1e-14);
    }
    if (p->loss == &ny_loss_hinge || p->loss == &ny_loss_pinball) /* their corner is where f = y */
        assert_close(at(p, y, y).value, p->width / 4, 1e-14);
}

static void test_rounded(void **state) {
    (void)state;
    everywhere(check_rounded);
}

/* loss(f) + conjugate(s) - s f at the slope s of the rounded loss, the conjugate sup (s t - loss(t)) by the corners. */
static void check_rounding(const ny_loss_params *p, double y, const double *f) {
    if (!p->loss->rounding) return;
    double level = p->loss == &ny_loss_insensitive ? p->level : 0;
    for (int i = 0; i < GRID; i++) {
        double s = at(p, y, f[i]).first, conjugate = -INFINITY;
        for (int sign = -1; sign <= 1; sign++) {
            double t = y + sign * level;
            conjugate = fmax(conjugate, s * t - sharp(p, y, t));
        }
        double gap = sharp(p, y, f[i]) + conjugate - s * f[i], rounding = p->loss->rounding(p, y, f[i]);
        assert_true(rounding >= 0 && rounding >= gap - 1e-14);
        if (level == 0 || level >= p->width) assert_close(rounding, gap, 1e-13);
    }
}

static void test_rounding(void **state) {
    (void)state;
    everywhere(check_rounding);
}

static void check_symmetric(const ny_loss_params *p, double y, const double *f) {
    ny_loss_params other = *p;
    if (p->loss == &ny_loss_pinball) other.level = 1 - p->level;
    for (int i = 0; i < GRID; i++) {
        double mirror = p->loss->classes ? -y : y;
        point a = at(p, y, f[i]), b = at(&other, mirror, p->loss->classes ? -f[i] : 2 * y - f[i]);
        assert_close(a.value, b.value, 1e-13);
        assert_close(a.first, -b.first, 1e-11);
        if (i != GRID / 2) assert_close(a.second, b.second, 1e-11);
    }
}

static void test_symmetric(void **state) {
    (void)state;
    everywhere(check_symmetric);
}

static void check_far(const ny_loss_params *p, double y, const double *f) {
    static const double far[] = {1e6, 1e100};
    (void)f;
    for (int k = 0; k < 4; k++) {
        double out = (k % 2 ? -1 : 1) * far[k / 2];
        point x = at(p, y, out);
        assert_true(isfinite(x.value) && isfinite(x.first) && isfinite(x.second));
        assert_true(x.value >= 0 && x.second >= 0);
        if (p->loss->rounding) assert_true(p->loss->rounding(p, y, out) == 0);
        if (k < 2 && !(p->loss == &ny_loss_logistic && y * out < 0)) /* there exp overflows in `sharp` */
            assert_close(x.value, sharp(p, y, out), 1e-13);
    }
}

static void test_far(void **state) {
    (void)state;
    everywhere(check_far);
    ny_loss_params logistic = {.loss = &ny_loss_logistic};
    assert_close(at(&logistic, 1, -1e6).value, 1e6, 1e-15);
    assert_true(at(&logistic, 1, 40).value > 0); /* log1p: not rounded to 0 */
}

static void test_mean(void **state) {
    (void)state;
    ny_loss_params p = {&ny_loss_huber, 0, 0.5};
    double y[3] = {1, -2, 0.5}, f[3] = {0.7, 1, 0.1}, v[3] = {1, 4, 0.25}, u[3], scaled[3], sum = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = sqrt(v[i]);
        scaled[i] = u[i] * y[i];
        sum += v[i] * sharp(&p, y[i], f[i]);
        assert_close(ny_loss_value(&p, y[i], f[i]), sharp(&p, y[i], f[i]), 1e-15);
    }
    assert_close(ny_loss_mean(&p, 3, scaled, u, f), sum / 5.25, 1e-14);
}

static void test_tables(void **state) {
    (void)state;
    for (int64_t k = 0; ny_loss_at(k); k++) assert_ptr_equal(ny_loss_find(ny_loss_at(k)->name), ny_loss_at(k));
    for (int64_t k = 0; ny_machine_at(k); k++) {
        const ny_machine *machine = ny_machine_at(k);
        assert_non_null(machine->loss);
        assert_ptr_equal(ny_loss_find(machine->loss->name), machine->loss);
        assert_ptr_equal(ny_machine_find(machine->name), machine);
        assert_int_equal(ny_machine_squared(machine), strcmp(machine->loss->name, "squared") == 0);
        assert_int_equal(machine->bias, strcmp(machine->name, "krr") != 0);
        assert_false(machine->loss->linear && machine->loss->classes); /* y f has no unit */
    }
    assert_null(ny_loss_find("nosuch"));
    assert_null(ny_machine_find("nosuch"));
    assert_null(ny_loss_at(-1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),  cmocka_unit_test(test_derivatives), cmocka_unit_test(test_convex),
        cmocka_unit_test(test_rounded), cmocka_unit_test(test_rounding),    cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_far),     cmocka_unit_test(test_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
