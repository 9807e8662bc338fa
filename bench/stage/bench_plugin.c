/* bench_plugin.c: the plug-in bandwidth of one column, and the landmarks that are chosen with such bandwidths.
 *
 *     bench_plugin < NUMBERS       its bandwidth with all digits, for check_plugin.py and plugin_r.py, which ask R too
 *     bench_plugin N D M [OFF]     the method `entropy` on N rows of D normal inputs (the second half of the rows moved
 *                                  by OFF in each input, default 2):
 *
 *     rows,inputs,landmarks,seconds_bandwidths,seconds_total,tries,swaps,entropy_gained */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ctx.h"
#include "base/rng.h"
#include "landmark/entropy.h"
#include "landmark/plugin.h"

static int fail(ny_ctx *ctx) {
    fprintf(stderr, "bench_plugin: %s\n", ny_message(ctx));
    return 1;
}

static int one_column(ny_ctx *ctx) {
    int64_t n = 0, room = 0;
    double *x = NULL, v, h;
    while (scanf("%lf", &v) == 1) {
        if (n == room) {
            room = 2 * room + 1024;
            double *more = realloc(x, (size_t)room * sizeof *x);
            if (!more) return 1;
            x = more;
        }
        x[n++] = v;
    }
    if (ny_plugin_bandwidth(ctx, n, x, &h) != NY_OK) return fail(ctx);
    printf("%.17g\n", h);
    free(x);
    return 0;
}

static int time_entropy(ny_ctx *ctx, int64_t n, int64_t d, int64_t m, double off) {
    ny_matrix X = {0};
    ny_rng rng = ny_rng_make(1, NY_RNG_DATA, 0);
    ny_entropy start = {0}, end = {0};
    ny_entropy_spec spec = {&X, NULL, 0, m, 1, 0};
    if (ny_matrix_dense(ctx, d, n, &X) != NY_OK) return fail(ctx);
    for (int64_t i = 0; i < n * d; i++) X.x[i] = ny_rng_normal(&rng) + (i > n * d / 2 ? off : 0);
    double t0 = ny_now();
    if (ny_entropy_choose(ctx, &spec, &start) != NY_OK) return fail(ctx);
    double t1 = ny_now();
    spec.tries = -1;
    if (ny_entropy_choose(ctx, &spec, &end) != NY_OK) return fail(ctx);
    printf("rows,inputs,landmarks,seconds_bandwidths,seconds_total,tries,swaps,entropy_gained\n");
    printf("%lld,%lld,%lld,%.3f,%.3f,%lld,%lld,%.4f\n", (long long)n, (long long)d, (long long)m, t1 - t0,
           ny_now() - t1, (long long)end.tries, (long long)end.swaps, log(start.sum / end.sum));
    ny_entropy_clear(&start);
    ny_entropy_clear(&end);
    ny_matrix_clear(&X);
    return 0;
}

int main(int argc, char **argv) {
    ny_ctx *ctx = ny_ctx_new();
    int status = argc > 3
                     ? time_entropy(ctx, atoll(argv[1]), atoll(argv[2]), atoll(argv[3]), argc > 4 ? atof(argv[4]) : 2)
                     : one_column(ctx);
    ny_ctx_free(ctx);
    return status;
}
