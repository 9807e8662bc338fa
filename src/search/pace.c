/* pace.c: see pace.h. */
#include "pace.h"

#include <math.h>

#include "base/threads.h"
#include "criterion/expanded.h"
#include "linalg/linalg.h"
#include "search.h"

static const double SHARE = 0.03;      /* of the limit, kept for what cannot be foreseen */
static const double LEAST = 0.05;      /* seconds: the same, at least */
static const double MARGIN = 1.25;     /* on what is foreseen */
static const double SLOWER = 4;        /* a machine beside a product of matrices, before one has been measured */
static const double PLAIN = 40;        /* a product of matrices beside a plain loop */
static const double CODE = 100;        /* the same beside decoding, whose outputs lie far apart */
static const double LAST_WORK = 6e9;   /* flops of the last machine where only the user said stop: below a second */
static const double PLACES_WORK = 2e9; /* those of the machines that tell where it is to be */
static const double LAST_TIME = 0.6;   /* seconds that it may take before a smaller one is tried */
static const double SMALLER = 8;       /* by how much, in flops; it may take half of that time */
static const double PLACES_TIME = 0.3; /* seconds of the machines that tell where it is to be */
static const double FIRST = 0.85;      /* of what --time-limit leaves, for the first try */
static const double CALIBRATED = 1e6;  /* rows times codes (ny_codes_work) of a calibration after a stop */
static const double SHOWN = 5;         /* seconds that are worth a line */
enum { PRODUCT = 192, TIMES = 8, FEWEST = 20, FEWEST_ROWS = 500 };

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

/* Plain operations after the last machine: limits by the bootstrap, calibration, decisions and losses of all rows. */
static double closing_work(const ny_selection *sel, int64_t rows) {
    const double REPLICATES = 1000, ROUNDS = 10, ROW = 100;
    double classes = ny_codes_work(sel->setup->coding, sel->setup->classes), units = (double)ny_units(rows);
    double bootstrap = REPLICATES * units * (10 + (double)sel->found.tried.count) * (sel->setup->classes ? 1 : 2);
    return bootstrap + ROUNDS * ROW / 4 * CALIBRATED * (sel->setup->classes > 0) + ROW * (double)rows * classes;
}

/* What is left of the time after the last machine. */
static double for_closing(const ny_selection *sel) {
    double limit = sel->setup->options->time_limit;
    return fmax(SHARE * limit, LEAST) + sel->pace->prepared + closing_work(sel, sel->rows->all.n) / sel->pace->plain;
}

/* Going through the rows twice to decide about them: for the error, and for what its limits come from. As flops. */
static double deciding(const ny_selection *sel, int64_t rows) {
    return sel->setup->classes > 2 ? 2 * CODE * (double)rows * ny_codes_work(sel->setup->coding, sel->setup->classes)
                                   : 0;
}

/* In closed form, by the criterion itself, or by one that leaves out the same rows. */
static double closed_flops(const ny_selection *sel, const ny_size *size) {
    const ny_criterion *own = sel->setup->criterion, *like = own->folds ? &ny_criterion_cv : &ny_criterion_loo;
    return ny_closed_flops(own->closed ? own : like, size, ny_setup_pairs(sel->setup));
}

/* The last machine, which has one C where every C costs a training. */
static double last_flops(const ny_selection *sel, int64_t rows, int64_t m) {
    bool pairs = ny_setup_pairs(sel->setup);
    bool training = sel->setup->options->expansion == NY_EXPANSION_TRAINING;
    ny_size size = ny_size_of(sel, rows, m);
    double newton = ny_setup_iterates(sel->setup) ? ny_newton_flops(sel->setup->criterion, &size, pairs) / 3 : 0;
    double kernel = training ? ny_expanded_cost(&size).flops : 0;
    return newton + kernel + closed_flops(sel, &size) * ny_thin(m) + deciding(sel, rows);
}

static void keep_for_the_end(ny_selection *sel) {
    double last = MARGIN * last_flops(sel, sel->rows->all.n, FEWEST) / sel->pace->rate;
    double most = sel->setup->options->time_limit / 3; /* beyond, the last machine is one of fewer rows */
    sel->ctx->reserve = for_closing(sel) + (sel->passes ? last : fmin(last, most));
}

void ny_pace_begin(ny_selection *sel, double prepared) {
    if (!(sel->ctx->deadline > 0)) return;
    double product = product_rate(sel->ctx);
    sel->pace->rate = product / SLOWER;
    sel->pace->plain = product / (double)ny_threads() / PLAIN;
    sel->pace->prepared = prepared;
    keep_for_the_end(sel);
}

/* The largest machine so far tells most about a larger one. */
void ny_pace_done(ny_selection *sel, double flops, double seconds) {
    if (!(sel->ctx->deadline > 0) || flops < 0.5 * sel->pace->largest) return;
    sel->pace->largest = fmax(sel->pace->largest, flops);
    sel->pace->rate = flops / fmax(seconds, 1e-6);
    keep_for_the_end(sel);
}

void ny_pace_more(ny_selection *sel, double flops, const char *what) {
    double seconds = sel->pace->planned > 0 ? flops / sel->pace->planned : 0;
    sel->pace->more += seconds;
    if (seconds > SHOWN) ny_log(sel->ctx, NY_LOG_INFO, "%s: about %.0f s more (--time-limit to change)", what, seconds);
}

bool ny_pace_fits(const ny_selection *sel, double flops) {
    const ny_ctx *ctx = sel->ctx;
    if (!(ctx->deadline > 0) || ctx->grace > 0) return true;
    return ny_now() + MARGIN * flops / sel->pace->rate <= ctx->deadline - ctx->reserve;
}

static int64_t less(int64_t count) {
    return count - count / 10 - 1;
}

/* Seconds that --time-limit leaves for the last machine. */
static double left(const ny_selection *sel) {
    const ny_ctx *ctx = sel->ctx;
    return ctx->deadline > 0 ? fmax(ctx->deadline - for_closing(sel) - ny_now(), 0) : INFINITY;
}

/* Fewer landmarks first, then fewer rows, unless it is the rows that cost; those that come in passes are a sample
 * already. */
bool ny_pace_last(const ny_selection *sel, int tries, int64_t *rows, int64_t *m) {
    bool asked = atomic_load(&sel->ctx->cancelled); /* nobody wants to wait for the end of the limit */
    double time = left(sel), most = asked || isinf(time) ? LAST_WORK : INFINITY;
    if (!isinf(time)) most = fmin(most, time * sel->pace->rate / MARGIN);
    most *= pow(SMALLER, -tries);
    while (!sel->passes && *rows > FEWEST_ROWS && deciding(sel, *rows) > most / 2) *rows = less(*rows);
    while (*m > FEWEST && last_flops(sel, *rows, *m) > most) *m = less(*m);
    while (!sel->passes && *rows > FEWEST_ROWS && last_flops(sel, *rows, *m) > most) *rows = less(*rows);
    return *m > FEWEST || (*rows > FEWEST_ROWS && !sel->passes);
}

double ny_pace_patience(const ny_selection *sel, int tries) {
    double time = tries < 0 ? PLACES_TIME : LAST_TIME * exp2(-tries), share = tries < 0 ? FIRST / 3 : FIRST;
    bool asked = atomic_load(&sel->ctx->cancelled);
    return ny_now() + (asked || isinf(left(sel)) ? fmin(time, share * left(sel)) : share * left(sel));
}

int64_t ny_pace_calibration(const ny_selection *sel) {
    double few = fmax(CALIBRATED / ny_codes_work(sel->setup->coding, sel->setup->classes), FEWEST_ROWS);
    return sel->ctx->stopped && few < NY_SAMPLE_ROWS ? (int64_t)few : NY_SAMPLE_ROWS;
}

int64_t ny_pace_places(const ny_selection *sel, int64_t rows, int64_t landmarks, int64_t places) {
    ny_size size = ny_size_of(sel, rows, landmarks);
    double each = ny_level_flops(sel, rows, landmarks);
    if (sel->setup->criterion->folds) each += closed_flops(sel, &size);
    while (places > 1 && (double)places * each > PLACES_WORK) places -= 2; /* on both sides of the middle one */
    return places > 1 ? places : 1;
}

void ny_work_done(ny_selection *sel, double flops) {
    ny_outcome *found = &sel->found;
    found->work_done += flops;
    double total = fmax(found->work_total, found->work_done), elapsed = ny_now() - found->started;
    ny_progress(sel->ctx, "select", found->work_done, total, elapsed * (total - found->work_done) / found->work_done);
}
