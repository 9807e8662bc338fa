/* landmark_cholesky.c: greedy incomplete Cholesky factorisation (Fine and Scheinberg 2001; the ICF of Bonidal 2013,
 * section 2.7): the next landmark is the row of which the factor leaves most, and of equal ones the first. Nothing is
 * drawn: the seed has no influence. One pivot at a time, so the factor is made at the speed of memory. */
#include <math.h>
#include <string.h>

#include "growing.h"

static int64_t number(const ny_landmark_spec *spec, int64_t i) {
    return spec->id ? spec->id[i] : i;
}

/* The row of the largest residual. Rows are known by their numbers, whatever order they are in. */
static int64_t largest(const ny_landmark_spec *spec, const ny_growing *g) {
    int64_t top = 0;
    for (int64_t i = 1; i < g->n; i++)
        if (g->residual[i] > g->residual[top] ||
            (g->residual[i] == g->residual[top] && number(spec, i) < number(spec, top)))
            top = i;
    return top;
}

static ny_status choose(ny_ctx *ctx, const ny_landmark_spec *spec, ny_landmarks *out) {
    ny_status st = NY_OK;
    ny_growing g = {0};
    NY_TRY(ny_growing_begin(ctx, spec, &g));
    for (g.block = 1; g.k < g.m;) {
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        int64_t top = largest(spec, &g);
        if (g.residual[top] <= 0) break; /* only noise is left */
        g.pivot[g.k] = top;
        g.L[0] = sqrt(g.residual[top]);
        memcpy(g.GA, g.G + top * g.ldg, (size_t)g.k * sizeof *g.G);
        NY_TRY(ny_growing_extend(&g));
    }
    NY_TRY(ny_growing_finish(&g, out));
done:
    ny_growing_clear(&g);
    return st;
}

const ny_landmark_method ny_landmark_cholesky = {
    "cholesky", "incomplete Cholesky: always the row that the factor explains least", true, choose};
