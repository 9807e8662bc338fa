/* metric.c: see metric.h. A small machine on a sample of the rows, whose inputs are weighed by the slopes of its
 * outputs, is trained again, and so on while its leave-one-out error falls. Then machines of more rows, with the
 * weights and without, are compared. */
#include "metric.h"

#include <math.h>
#include <string.h>

#include "ard.h"
#include "held_error.h"
#include "pace.h"
#include "search.h"
#include "slopes.h"
#include "widths.h"

enum {
    LEARNT = 1500, /* rows of the machines that learn: more of them bring no better weights */
    LEARNING = 400,
    JUDGED = 3000, /* rows of those that are compared */
    JUDGING = 500,
    SCANNED = 500, /* rows of those that tell the kernel */
    SCANNING = 150,
    ROUNDS = 6,
    EVIDENT = 20, /* evaluations of the evidence, as a rule */
};
static const double WORTH = 0.01; /* of the value: a round that gains less is the last one */
static const double GRAIN = 16;   /* log2 of a weight is a multiple of 1/GRAIN: the last bits depend on the threads */

typedef struct { /* some of the rows, whose inputs can be weighed anew */
    ny_training_rows rows;
    ny_matrix plain; /* their inputs as they were */
} sample;

typedef struct { /* a bandwidth: log2 of it, less the guess that the distances in the data give */
    const ny_kernel *kernel;
    double above;
} place;

typedef struct {    /* weights, and the best machine with them */
    double *weight; /* columns */
    place at;
    double value;
    double *held; /* rows x outputs: held-out outputs */
    double error; /* standard error of the difference between its value and that of equal weights */
} finalist;

enum { EQUAL, SLOPES, EVIDENCE, FINALISTS };
static const char *const names[FINALISTS] = {"equal", "slopes", "evidence"};

typedef struct {
    const ny_selection *from;
    ny_setup setup; /* squared losses, rows left out one by one, one output for each class */
    int64_t columns;
    const int64_t *column;
    ny_pace pace; /* of the run, which machines of samples leave as it is */
    finalist finalist[FINALISTS];
    double *weight; /* columns: at work */
    double *G;      /* inputs */
} job;

void ny_metric_cost(int64_t n, int64_t d, int64_t q, double *bytes, double *flops) {
    double rows = fmin((double)n, LEARNT), m = fmin(rows, LEARNING), judged = fmin((double)n, JUDGED);
    double learning = rows * m * (4 * m + 6 * (double)d + 2 * (double)q),
           judging = n > LEARNT ? judged * JUDGING * (4 * JUDGING + 6 * (double)d) : 0;
    *bytes = 8 * (judged * (2 * (double)d + 4) + 2 * fmax(rows * m, judged * fmin(judged, JUDGING)));
    *flops = (8 + 4 * ROUNDS / 2 + 2 * EVIDENT) * learning + 2 * FINALISTS * judging;
}

/* ---- samples ------------------------------------------------------------------------------------------------ */

static void sample_clear(sample *s) {
    ny_matrix_clear(&s->plain);
    ny_training_rows_clear(&s->rows);
}

static ny_status sample_draw(const job *j, int64_t count, sample *s) {
    ny_status st = NY_OK;
    const ny_training_rows *from = j->from->rows;
    ny_ctx *ctx = j->from->ctx;
    NY_TRY(ny_rows_draw(ctx, &j->setup, from, count, &s->rows.all));
    s->rows.n = s->rows.all.n;
    s->rows.outlying = from->outlying;
    s->rows.wild = from->wild;
    s->rows.target_unit = from->target_unit;
    NY_NEW(ctx, s->rows.class_rows, j->setup.classes ? j->setup.classes : 1);
    for (int64_t i = 0; i < s->rows.n; i++) s->rows.class_rows[s->rows.all.code ? s->rows.all.code[i] : 0]++;
    NY_TRY(ny_matrix_copy(ctx, &s->rows.all.X, &s->plain));
done:
    return st;
}

/* The largest weight is 1, and each a power of 2^(1/GRAIN), or 0. */
static void normalise(int64_t columns, double *weight) {
    double largest = 0;
    for (int64_t c = 0; c < columns; c++) largest = fmax(largest, weight[c]);
    for (int64_t c = 0; c < columns; c++) {
        double a = largest > 0 ? weight[c] / largest : 1; /* flat outputs tell nothing */
        weight[c] = a > 0 ? exp2(round(log2(a) * GRAIN) / GRAIN) : 0;
    }
}

static void weigh(const job *j, const double *weight, sample *s) {
    const ny_matrix *X = &s->rows.all.X;
    for (int64_t i = 0; i < X->n; i++)
        for (int64_t c = 0; c < X->d; c++) X->x[c + i * X->d] = s->plain.x[c + i * X->d] * weight[j->column[c]];
}

/* A selection over the sample as it is weighed now, in which all machines share their landmarks. */
static ny_selection over(job *j, const sample *s, int64_t landmarks) {
    ny_selection sel = ny_selection_of(j->from->ctx, &j->setup, &s->rows);
    sel.plan.landmarks = sel.plan.landmarks_most = landmarks < s->rows.n ? landmarks : s->rows.n;
    sel.pace = &j->pace;
    sel.found.started = ny_now();
    sel.cache.hold = true;
    return sel;
}

/* ---- machines ----------------------------------------------------------------------------------------------- */

static ny_status widths_of(ny_selection *sel, const ny_kernel *kernel, ny_widths *l, double *guess) {
    ny_status st = NY_OK;
    *l = (ny_widths){.sel = sel, .rows = sel->rows->n, .landmarks = sel->plan.landmarks, .kernel = kernel};
    if (kernel->has_bandwidth) NY_TRY(ny_bandwidth_range(sel, kernel, &l->range.lo, &l->range.hi, guess));
    else *guess = 0;
    l->range.step = 1;
    l->range.floor = l->range.lo - (kernel->has_bandwidth ? 2 : 0);
    l->range.ceiling = l->range.hi + (kernel->has_bandwidth ? 2 : 0);
    sel->cache.reference = (ny_point){kernel, exp2(*guess), 0, 0};
done:
    return st;
}

/* Which kernel, and where: of few rows and landmarks. Kernels without bound are looked at where there is no other. */
static ny_status scan(job *j, const sample *s, place *at) {
    ny_status st = NY_OK;
    ny_widths here[NY_KERNELS_MAX], *l[NY_KERNELS_MAX];
    double guess[NY_KERNELS_MAX];
    int64_t count = 0, win = 0;
    ny_selection sel = over(j, s, SCANNING);
    for (int64_t c = 0; c < j->setup.kernels; c++) {
        if (!ny_kernel_bounded(j->setup.candidate[c]) && j->setup.kernels > 1) continue;
        l[count] = &here[count];
        NY_TRY(widths_of(&sel, j->setup.candidate[c], l[count], &guess[count]));
        if (l[count]->rows > SCANNED) l[count]->rows = SCANNED;
        count++;
    }
    NY_TRY(ny_widths_scan(count, l, 1));
    for (int64_t c = 1; c < count; c++)
        if (ny_widths_least(l[c]) < ny_widths_least(l[win])) win = c;
    *at = (place){l[win]->kernel, l[win]->x[ny_widths_best(l[win])] - guess[win]};
done:
    ny_selection_clear(&sel);
    return st;
}

/* The best machine with this kernel, from bandwidths about the place on; then it is the new place. */
static ny_status settle(ny_selection *sel, bool closer, place *at, double *value) {
    ny_status st = NY_OK;
    ny_widths l, *list = &l;
    double guess;
    NY_TRY(widths_of(sel, at->kernel, &l, &guess));
    double x = fmin(fmax(guess + at->above, l.range.floor), l.range.ceiling), places[] = {x, x - 0.5, x + 0.5};
    NY_TRY(ny_widths_try(1, &list, closer ? 3 : 2, places));
    if (closer) NY_TRY(ny_widths_bracket(&l, x, 0.5));
    *value = ny_widths_least(&l);
    at->above = l.x[ny_widths_best(&l)] - guess;
done:
    return st;
}

/* The finalist is the best machine of sel now. */
static void stands(ny_selection *sel, place at, double value, finalist *f) {
    f->at = at;
    f->value = value;
    ny_free(f->held);
    f->held = sel->found.best.held;
    sel->found.best.held = NULL;
}

/* How sure the differences are, on the rows of the sample. */
static ny_status compare(job *j, const sample *s) {
    ny_status st = NY_OK;
    for (int k = SLOPES; k < FINALISTS; k++) {
        finalist *f = &j->finalist[k];
        if (f->held)
            NY_TRY(ny_error_paired(j->from->ctx, &j->setup, &s->rows.all, f->held, j->finalist[EQUAL].held,
                                   ny_setup_on_error(&j->setup), &f->error));
    }
done:
    return st;
}

/* a_c = sqrt(G_c / max G), where G_c sums the slopes of the column's inputs as they were: df/dx = a df/d(a x).
 *                                                                                                          (eq. 162) */
static ny_status learn(const job *j, const ny_selection *sel) {
    ny_status st = NY_OK;
    double *weight = j->weight;
    const ny_matrix *X = &sel->rows->all.X;
    NY_TRY(ny_slopes(sel->ctx, &sel->found.best.f, X, j->G));
    for (int64_t c = 0; c < X->d; c++) j->G[c] *= weight[j->column[c]] * weight[j->column[c]];
    memset(weight, 0, (size_t)j->columns * sizeof *weight);
    for (int64_t c = 0; c < X->d; c++) weight[j->column[c]] += j->G[c];
    for (int64_t c = 0; c < j->columns; c++) weight[c] = sqrt(weight[c]);
    normalise(j->columns, weight);
done:
    return st;
}

/* Weights by slopes, round by round while they gain. sel: over the sample, its best machine has equal weights. */
static ny_status by_slopes(job *j, sample *s, ny_selection *sel) {
    ny_status st = NY_OK;
    finalist *f = &j->finalist[SLOPES];
    place at = j->finalist[EQUAL].at;
    double value;
    for (int round = 0; round < ROUNDS; round++) {
        NY_TRY(learn(j, sel));
        weigh(j, j->weight, s);
        ny_selection_clear(sel);
        *sel = over(j, s, LEARNING);
        NY_TRY(settle(sel, true, &at, &value));
        bool much = value < (1 - WORTH) * f->value;
        if (value < f->value) {
            stands(sel, at, value, f);
            memcpy(f->weight, j->weight, (size_t)j->columns * sizeof *f->weight);
        }
        if (!much) break;
    }
done:
    return st;
}

/* All finalists on the sample. */
static ny_status enter(job *j, bool evidence, ny_weighing *out) {
    ny_status st = NY_OK;
    sample s = {0};
    finalist *equal = &j->finalist[EQUAL], *third = &j->finalist[EVIDENCE];
    ny_selection sel = {0};
    NY_TRY(sample_draw(j, LEARNT, &s));
    NY_TRY(scan(j, &s, &equal->at));
    sel = over(j, &s, LEARNING);
    NY_TRY(settle(&sel, true, &equal->at, &equal->value));
    stands(&sel, equal->at, equal->value, equal);
    out->rows = s.rows.n;
    out->landmarks = sel.plan.landmarks;
    if (evidence) NY_TRY(ny_ard_from(&sel, j->columns, j->column, third->weight));
    NY_TRY(by_slopes(j, &s, &sel));
    if (!evidence) goto done; /* nothing is to be compared */
    normalise(j->columns, third->weight);
    weigh(j, third->weight, &s);
    ny_selection_clear(&sel);
    sel = over(j, &s, LEARNING);
    third->at = equal->at;
    NY_TRY(settle(&sel, true, &third->at, &third->value));
    stands(&sel, third->at, third->value, third);
    NY_TRY(compare(j, &s));
done:
    ny_selection_clear(&sel);
    sample_clear(&s);
    return st;
}

/* The values on more rows than the weights were learnt from. */
static ny_status judge(job *j, ny_weighing *out) {
    ny_status st = NY_OK;
    sample s = {0};
    ny_selection sel = {0};
    NY_TRY(sample_draw(j, JUDGED, &s));
    for (int k = 0; k < FINALISTS; k++) {
        finalist *f = &j->finalist[k];
        if (!(f->value < INFINITY)) continue;
        weigh(j, f->weight, &s);
        ny_selection_clear(&sel);
        sel = over(j, &s, JUDGING);
        NY_TRY(settle(&sel, false, &f->at, &f->value));
        stands(&sel, f->at, f->value, f);
    }
    NY_TRY(compare(j, &s));
    out->rows = s.rows.n;
    out->landmarks = sel.plan.landmarks;
done:
    ny_selection_clear(&sel);
    sample_clear(&s);
    return st;
}

static ny_status job_new(const ny_selection *from, int64_t columns, const int64_t *column, job *j) {
    ny_status st = NY_OK;
    *j = (job){.from = from, .setup = ny_setup_stand_in(from->setup), .columns = columns, .column = column};
    j->setup.posterior = NY_POSTERIOR_NO;
    j->pace = *from->pace;
    j->pace.largest = INFINITY; /* they are smaller than what it was measured with */
    if (ny_setup_pairs(&j->setup)) {
        j->setup.coding.method = &ny_multiclass_ova;
        j->setup.outputs = ny_codes_outputs(&ny_multiclass_ova, j->setup.classes);
    }
    NY_NEW_RAW(from->ctx, j->weight, columns);
    NY_NEW_RAW(from->ctx, j->G, from->rows->all.X.d);
    for (int64_t c = 0; c < columns; c++) j->weight[c] = 1;
    for (int k = 0; k < FINALISTS; k++) {
        j->finalist[k].value = INFINITY;
        NY_NEW_RAW(from->ctx, j->finalist[k].weight, columns);
        for (int64_t c = 0; c < columns; c++) j->finalist[k].weight[c] = 1;
    }
done:
    return st;
}

static void job_clear(job *j) {
    for (int k = 0; k < FINALISTS; k++) ny_free(j->finalist[k].weight), ny_free(j->finalist[k].held);
    ny_free(j->weight);
    ny_free(j->G);
}

ny_status ny_metric_find(const ny_selection *from, int64_t columns, const int64_t *column, bool choose, double *scale,
                         ny_weighing *out) {
    ny_status st = NY_OK;
    job j;
    int win = EQUAL;
    *out = (ny_weighing){.known = true, .penalty = 1, .equal = NAN, .slopes = NAN, .evidence = NAN};
    for (int64_t c = 0; c < columns; c++) scale[c] = 1;
    NY_TRY(job_new(from, columns, column, &j));
    NY_TRY(enter(&j, choose, out));
    if (choose && from->rows->all.n > out->rows) NY_TRY(judge(&j, out));
    for (int64_t c = 0; c < columns; c++) out->weights += j.finalist[SLOPES].weight[c] > 0;
    out->penalty = ny_metric_penalty(out->weights, out->rows);
    double value[FINALISTS];
    for (int k = 0; k < FINALISTS; k++) value[k] = j.finalist[k].value * (k == EQUAL ? 1 : out->penalty);
    for (int k = 1; k < FINALISTS; k++)
        if (value[k] < value[win] && value[k] + j.finalist[k].error < value[EQUAL]) win = k;
    if (!choose) win = SLOPES;
    out->equal = value[EQUAL], out->slopes = value[SLOPES];
    if (choose) out->evidence = value[EVIDENCE];
    memcpy(scale, j.finalist[win].weight, (size_t)columns * sizeof *scale);
    if (!(out->used = ny_strdup(from->ctx, names[win]))) st = NY_ERR_MEMORY;
done:
    job_clear(&j);
    return st == NY_STOPPED ? NY_OK : st; /* the search to come will notice */
}
