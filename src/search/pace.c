/* pace.c: see pace.h. */
#include "pace.h"

#include <math.h>

#include "linalg/linalg.h"
#include "search.h"

static const double SHARE = 0.03;     /* of the limit, kept for what cannot be foreseen */
static const double LEAST = 0.05;     /* seconds: the same, at least */
static const double MARGIN = 1.25;    /* on what is foreseen */
static const double SLOWER = 4;       /* a machine beside a product of matrices, before one has been measured */
static const double LAST_WORK = 2e10; /* flops of the last machine where only the user said stop: about a second */
static const double SHOWN = 5;        /* seconds that are worth a line */
enum { PRODUCT = 192, TIMES = 8, FEWEST = 20 };

/* Operations in a second of small products of matrices; a few milliseconds. Not the best of them: other work on the
 * machine counts. */
static double product_rate(ny_ctx *ctx) {
    double *a = ny_alloc(ctx, 3 * PRODUCT * PRODUCT, sizeof *a), start = ny_now();
    for (int k = 0; a && k < TIMES; k++)
        ny_gemm(false, false, PRODUCT, PRODUCT, PRODUCT, 1.0, a, PRODUCT, a + PRODUCT * PRODUCT, PRODUCT, 0.0,
                a + 2 * PRODUCT * PRODUCT, PRODUCT);
    bool done = a != NULL;
    ny_free(a);
    return done ? 2.0 * TIMES * PRODUCT * PRODUCT * PRODUCT / fmax(ny_now() - start, 1e-6) : 1e9;
}

/* What is left of the time after the last machine. */
static double for_closing(const ny_selection *sel) {
    double limit = sel->options->time_limit;
    return fmax(SHARE * limit, LEAST) + sel->pace.prepared;
}

/* The last machine, which has one C where every C costs a training. */
static double last_flops(const ny_selection *sel, int64_t m) {
    bool pairs = ny_is_pairs(sel->coding.method, sel->classes);
    double newton = sel->criterion->effort ? ny_newton_flops(sel->all.n, m, sel->outputs, pairs) / 3 : 0;
    return newton + ny_evaluation_flops(sel->all.n, sel->all.X.d, m, sel->outputs, pairs);
}

static void keep_for_the_end(ny_selection *sel) {
    double last = MARGIN * last_flops(sel, FEWEST) / sel->pace.rate;
    sel->ctx->reserve = for_closing(sel) + last;
}

void ny_pace_begin(ny_selection *sel, double prepared) {
    if (!(sel->ctx->deadline > 0)) return;
    sel->pace.rate = product_rate(sel->ctx) / SLOWER;
    sel->pace.prepared = prepared;
    keep_for_the_end(sel);
}

/* The largest machine so far tells most about a larger one. */
void ny_pace_done(ny_selection *sel, double flops, double seconds) {
    if (!(sel->ctx->deadline > 0) || flops < 0.5 * sel->pace.largest) return;
    sel->pace.largest = fmax(sel->pace.largest, flops);
    sel->pace.rate = flops / fmax(seconds, 1e-6);
    keep_for_the_end(sel);
}

void ny_pace_more(ny_selection *sel, double flops, const char *what) {
    double seconds = sel->pace.planned > 0 ? flops / sel->pace.planned : 0;
    sel->pace.more += seconds;
    if (seconds > SHOWN) ny_log(sel->ctx, NY_LOG_INFO, "%s: about %.0f s more (--time-limit to change)", what, seconds);
}

bool ny_pace_fits(const ny_selection *sel, double flops) {
    const ny_ctx *ctx = sel->ctx;
    if (!(ctx->deadline > 0) || ctx->finishing) return true;
    return ny_now() + MARGIN * flops / sel->pace.rate <= ctx->deadline - ctx->reserve;
}

int64_t ny_pace_landmarks(const ny_selection *sel, int64_t m) {
    const ny_ctx *ctx = sel->ctx;
    double most = LAST_WORK;
    if (ctx->deadline > 0) most = fmax(ctx->deadline - for_closing(sel) - ny_now(), 0) * sel->pace.rate / MARGIN;
    while (m > FEWEST && last_flops(sel, m) > most) m -= m / 10 + 1;
    return m;
}
