/* test_calibration.c: the slopes that turn outputs into probabilities are those of the largest likelihood of the
 * held-out outputs: computed here anew, and looked at along both slopes. */
#include "with_ctx.h"

#include <math.h>

#include "machine/calibration.h"
#include "search/calibrate.h"
#include "table/data.h"

enum { ROWS = 400, CLASSES = 3 };

typedef struct {
    int64_t classes;
    double F[ROWS * CLASSES], u[ROWS]; /* F: output after output */
    int32_t code[ROWS];
} set;

/* Outputs that know the class to some degree, with more noise on one side. */
static void make_set(set *s, int64_t classes, bool weights) {
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, (uint32_t)classes);
    int64_t outputs = classes == 2 ? 1 : classes;
    s->classes = classes;
    for (int i = 0; i < ROWS; i++) {
        s->code[i] = (int32_t)ny_rng_below(&rng, classes);
        s->u[i] = weights ? 0.5 + ny_rng_uniform(&rng) : 1;
        for (int64_t j = 0; j < outputs; j++) {
            double code = s->code[i] == (classes == 2 ? 1 : j) ? 1 : -1;
            s->F[i + j * ROWS] = 0.4 * code + (code > 0 ? 0.4 : 0.8) * ny_rng_normal(&rng);
        }
    }
}

/* -mean log p, p_k ~ exp(a max(s_k, 0) + b min(s_k, 0)); of two classes the first one's score counts as 0. */
static double misfit(const set *s, double a, double b) {
    double sum = 0, weight = 0;
    for (int i = 0; i < ROWS; i++) {
        double all = 0, own = 0;
        for (int64_t k = 0; k < s->classes; k++) {
            double f = s->classes == 2 ? (k == 1 ? s->F[i] : 0) : s->F[i + k * ROWS];
            double e = exp(a * fmax(f, 0) + b * fmin(f, 0));
            all += e;
            if (k == s->code[i]) own = e;
        }
        sum -= s->u[i] * s->u[i] * log(own / all);
        weight += s->u[i] * s->u[i];
    }
    return sum / weight;
}

static void test_slopes_are_the_most_likely(void **state) {
    (void)state;
    static set s;
    ny_coding coding = {.method = &ny_multiclass_ova};
    for (int k = 0; k < 4; k++) {
        double slope[2], p[CLASSES], score[CLASSES], f[CLASSES];
        make_set(&s, k < 2 ? 2 : CLASSES, k % 2 == 1);
        int64_t outputs = s.classes == 2 ? 1 : s.classes;
        ny_held_outputs held = {coding, s.classes, ROWS, outputs, s.F, s.code, s.u};
        must(ctx, ny_calibrate(ctx, &held, slope));
        assert_true(slope[0] > 0.2 && slope[0] < 20 && slope[1] > 0.2 && slope[1] < 20);
        assert_true(fabs(slope[0] - slope[1]) > 0.1); /* both sides tell something else */
        double least = misfit(&s, slope[0], slope[1]);
        for (int side = -1; side <= 1; side += 2) { /* 1% off shows; a pull of 1e-6 to finite slopes does not */
            assert_true(misfit(&s, slope[0] * (1 + 0.01 * side), slope[1]) > least);
            assert_true(misfit(&s, slope[0], slope[1] * (1 + 0.01 * side)) > least);
        }
        double loss[ROWS], sum = 0, weight = 0;
        must(ctx, ny_calibrated_losses(ctx, &held, loss));
        for (int i = 0; i < ROWS; i++) sum += s.u[i] * s.u[i] * loss[i], weight += s.u[i] * s.u[i];
        assert_close(sum / weight, least, 1e-12);
        for (int i = 0; i < ROWS; i++) { /* and they are what probabilities are made with */
            for (int64_t j = 0; j < outputs; j++) f[j] = s.F[i + j * ROWS];
            int64_t label = ny_calibrated(coding, s.classes, f, slope, score, p);
            double all = 0, e[CLASSES];
            for (int64_t c = 0; c < s.classes; c++) {
                double x = s.classes == 2 ? (c == 1 ? f[0] : 0) : f[c];
                all += e[c] = exp(slope[0] * fmax(x, 0) + slope[1] * fmin(x, 0));
            }
            for (int64_t c = 0; c < s.classes; c++) {
                assert_close(p[c], e[c] / all, 1e-12);
                assert_true(p[c] <= p[label]);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slopes_are_the_most_likely)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
