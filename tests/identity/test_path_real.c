/* test_path_real.c: the path on sets of the size of real ones: generated, and real ones where they are there
 * (NYSEL_DATA names their folder): the low-rank machine is a minimum at 20 random lambdas of each, recomputed from its
 * multipliers.
 */
#include "path_sets.h"

#include <unistd.h>

#include "scale/scale.h"

enum { LANDMARKS = 200, LOOKS = 20 };

/* Standardised rows of two classes as features. */
static void make_factor(ny_data *data, ny_factor *factor, double **y) {
    int64_t n = data->X.n, d = data->X.d;
    double *shift = calloc((size_t)d, sizeof *shift), *scale = calloc((size_t)d, sizeof *scale);
    must(ctx, ny_scale_fit(ctx, ny_scale_find("standard"), &data->X, NULL, n,
                           &(ny_scaling){.shift = shift, .factor = scale}));
    ny_scale_apply(shift, scale, &data->X);
    ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = sqrt((double)d)};
    ny_factor_spec spec = {.method = &ny_landmark_uniform, .landmarks = LANDMARKS, .tol = 1e-10, .seed = 1};
    must(ctx, ny_factor_make(ctx, &kernel, &data->X, &spec, factor));
    *y = malloc((size_t)n * sizeof **y);
    for (int64_t i = 0; i < n; i++) (*y)[i] = data->code[i] == 0 ? -1 : 1;
    free(shift);
    free(scale);
}

static int falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static ny_status go_on(ny_ctx *c, void *user, ny_sided *s, bool *enough) {
    (void)c, (void)s, (void)enough;
    ++*(int64_t *)user;
    return NY_OK;
}

/* Follows the path from one random lambda to the next, and looks there. */
static void look(const char *name, const ny_factor *factor, const double *y) {
    int64_t n = factor->n, met = 0;
    assert_int_equal(factor->ldg, factor->r); /* as `violated` takes it */
    double *one = malloc((size_t)n * sizeof *one), *alpha = malloc((size_t)n * sizeof *alpha), lambda[LOOKS], worst = 0;
    ny_rng rng = ny_rng_make(23, NY_RNG_TEST, (uint32_t)n);
    for (int k = 0; k < LOOKS; k++) lambda[k] = log_uniform(&rng, 1e-6, 1e3);
    qsort(lambda, LOOKS, sizeof *lambda, falling);
    for (int64_t i = 0; i < n; i++) one[i] = 1;
    ny_problem P = {.r = factor->r, .n = n, .q = 1, .G = factor->G, .ldg = factor->ldg, .u = one, .Y = y, .bias = true};
    ny_sided x;
    must(ctx, ny_sided_new(ctx, &P, y, one, y, 0, &x));
    for (int k = 0; k < LOOKS; k++) {
        ny_follow_range range = {k ? lambda[k - 1] : 1e7, lambda[k], k == 0};
        must(ctx, ny_follow(ctx, &x, &range, go_on, &met));
        assert_true(x.lambda == lambda[k]);
        double said = ny_sided_polish(&x, alpha), found = violated(&x, factor->r, factor->G, alpha);
        if (!(said < 1e-8 && found < 1e-8)) fail_msg("%s, lambda %g: %g, said %g", name, lambda[k], found, said);
        worst = fmax(worst, found);
    }
    print_message("%s: %d rows, rank %d, %d stops, conditions to %.1e\n", name, (int)n, (int)factor->r, (int)met,
                  worst);
    ny_sided_clear(&x);
    free(one);
    free(alpha);
}

static void look_at(const char *name, ny_data *data) {
    ny_factor factor = {0};
    double *y = NULL;
    make_factor(data, &factor, &y);
    look(name, &factor, y);
    ny_factor_clear(&factor);
    ny_data_free(data);
    free(y);
}

/* Classes that overlap little and much, in 2 and in 20 inputs; of three classes the first against the others. Then the
 * real ones. */
static void test_sets(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t rows;
    } sets[] = {{"banana", 2000}, {"mixture", 1000}, {"ringnorm", 1200}, {"twonorm", 800}, {"waveform", 1500}};
    static const char *const real[] = {"raetsch_german", "raetsch_banana", "raetsch_image", "pima_diabetes",
                                       "spambase"};
    const char *folder = getenv("NYSEL_DATA");
    ny_data *data = NULL;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        must(ctx, ny_data_generate(ctx, sets[k].name, sets[k].rows, 5, &data));
        look_at(sets[k].name, data);
    }
    for (size_t k = 0; k < sizeof real / sizeof *real; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.csv.gz", folder && *folder ? folder : "../../../shared/data", real[k]);
        if (access(path, R_OK) != 0) continue;
        ny_options *options = make_options(ctx, "task", "binary", NULL);
        must(ctx, ny_data_read(ctx, path, options, NULL, &data));
        ny_options_free(options);
        look_at(real[k], data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
