/* summary_bound.c: the lines of --bound. */
#include <math.h>

#include "lines.h"

static void add_kernel_error(ny_lines *t, const ny_bound *b) {
    double likely = fmin(b->kernel_error / (1 - b->accuracy), b->kernel_error_upper);
    ny_lines_add(t, "  kernel error    |K - K~| ");
    if (b->exact) ny_lines_add(t, "= %s", ny_say_number(b->kernel_error).text);
    else if (isfinite(b->kernel_error))
        ny_lines_add(t, "between %s and %s (99%% sure), at most %s", ny_say_number(b->kernel_error).text,
                     ny_say_number(likely).text, ny_say_number(b->kernel_error_upper).text);
    else ny_lines_add(t, "at most %s (its trace)", ny_say_number(b->kernel_error_upper).text);
    ny_lines_add(t, "; |K| = %s\n", ny_say_number(b->kernel_norm).text);
}

/* Theorems 2 and 3 of Ding and Liao, where their condition holds; else what is missing. */
static void add_prior(ny_lines *t, const ny_record *r) {
    const ny_bound *b = &r->bound;
    ny_lines_add(t, "  before the draw ");
    if (isfinite(b->bound_prior))
        ny_lines_add(t, "|K - K~| at most %s, outputs %s, 99%% sure (Ding, Liao theorems 2, 3 with epsilon %s)\n",
                     ny_say_number(b->kernel_error_prior).text, ny_say_number(b->bound_prior).text,
                     ny_say_number(b->epsilon).text);
    else if (!isfinite(b->epsilon))
        ny_lines_add(t, "no bound: it is for landmarks drawn uniformly from rows of equal weight\n");
    else if (b->epsilon > 1)
        ny_lines_add(t, "no bound: epsilon %s is above 1 (rank %lld takes %lld landmarks)\n",
                     ny_say_number(b->epsilon).text, (long long)r->origin.rank, 64 * (long long)r->origin.rank);
    else ny_lines_add(t, "no bound: too many rows for all eigenvalues\n");
}

/* Outputs that move by a tenth of the error to be expected anyway (root of the held-out one) add 1% to its square. */
void ny_lines_bound(ny_lines *t, const ny_record *r) {
    const ny_bound *b = &r->bound;
    const ny_expected *e = &r->expected;
    double error = sqrt(isfinite(e->squared_error) ? e->squared_error : fabs(e->value)); /* older files */
    if (!b->known) return;
    add_kernel_error(t, b);
    ny_lines_add(t, "  bound           outputs differ from the exact machine's by at most %s (Ding, Liao eq. 24: %s)\n",
                 ny_say_number(b->bound).text, ny_say_number(b->bound_paper).text);
    add_prior(t, r);
    if (!isfinite(b->deviation_max)) return;
    ny_lines_add(t, "  measured        largest difference %s, rms %s on %lld row%s: %s\n",
                 ny_say_number(b->deviation_max).text, ny_say_number(b->deviation_rms).text,
                 (long long)b->deviation_rows, b->deviation_rows == 1 ? "" : "s",
                 b->deviation_rms <= 0.1 * error ? "the rank is enough" : "more landmarks would matter");
}
