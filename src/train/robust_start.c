/* robust_start.c: see robust_start.h.
 *
 * A machine of squared loss learns tamed targets (Huber, Robust Statistics, 1981, section 7.8: winsorised residuals)
 *
 *     z_i = f_i + clip(y_i - f_i, -+ NY_TAME noise),   noise = median |y_i - f_i| / 0.6745        docs/math.md, eq. 110
 *
 * with f_i held out, so that no target speaks for itself, and moved to where the median of y - f is 0: outliers on one
 * side shift all of f. Then f and z again, until z stays the same. The first f is the median of the targets. */
#include "robust_start.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"
#include "search/fit.h"
#include "search/search.h"

enum {
    ROWS = 1000,
    LANDMARKS = 100,
    ROUNDS = 20,
    LOOKS = 5,
    WIDTH = 256
};                               /* rows and landmarks of the small machine */
static const double SAME = 0.01; /* of the noise: a mean change of the targets that ends it */

void ny_robust_start_clear(ny_robust_start *start) {
    ny_free(start->f);
    *start = (ny_robust_start){0};
}

double ny_robust_scale(ny_weighed *e, int64_t n) {
    const double NOTHING = 1e-3;
    double scale = ny_order_share(e, n, 0.5) / 0.6745, higher = ny_order_share(e, n, 0.7) / 1.0364;
    double squares = 0, weight = 0;
    if (scale > NOTHING * higher) return scale;
    if (higher > 0) return higher;
    for (int64_t i = 0; i < n; i++) squares += e[i].weight * e[i].value * e[i].value, weight += e[i].weight;
    return squares > 0 ? sqrt(squares / weight) : 1;
}

typedef struct {
    ny_setup setup; /* a machine of squared loss; C is to be found, whatever --C says */
    ny_selection sel;
    ny_rows rows;        /* its own; y: tamed targets */
    double *y;           /* rows: the targets themselves */
    ny_weighed *e;       /* rows: scratch */
    double *error, *d;   /* rows: y - f of distinct ones; scratch */
    double heard;        /* share of the rows that it learns from, those of the smallest errors; 1: all but wild ones */
    double noise, shift; /* around the outputs, and what was added to these */
    double guess;        /* log2 of a middling bandwidth */
} small_machine;

/* The errors, of weight 0 where they are further than `most` from `middle`, or wild: rows that are only set aside for
 * the moment count, as without the largest errors the noise would be too small. */
static void errors(small_machine *m, const double *f, double middle, double most) {
    const ny_rows *rows = &m->rows;
    for (int64_t i = 0; i < rows->n; i++) {
        double e = m->y[i] - f[i];
        bool counts = fabs(e - middle) <= most && (m->heard < 1 || !(rows->wild && rows->wild[i]));
        m->e[i] = (ny_weighed){e, counts ? rows->u[i] * rows->u[i] : 0};
    }
}

/* Median and scale of the errors: of all, then of those that are not outlying. */
static void middle_and_noise(small_machine *m, const double *f) {
    const ny_rows *rows = &m->rows;
    double most = INFINITY;
    m->shift = 0;
    for (int pass = 0; pass < 2; pass++) {
        errors(m, f, m->shift, most);
        m->shift = ny_order_share(m->e, rows->n, 0.5);
        for (int64_t i = 0; i < rows->n; i++) m->e[i].value = fabs(m->e[i].value - m->shift);
        m->noise = ny_robust_scale(m->e, rows->n);
        most = NY_OUTLYING * m->noise;
    }
}

/* z = f + clip(y - f), and the rows of the largest errors set aside; returns by how much z has moved, in the mean. */
static double retarget(small_machine *m, const double *f) {
    ny_rows *rows = &m->rows;
    double moved = 0;
    for (int64_t i = 0; i < rows->n; i++) {
        double z = ny_tamed(m->y[i], f[i], NY_TAME * m->noise);
        moved += fabs(z - rows->y[i]) / (double)rows->n;
        rows->y[i] = z;
        m->e[i] = (ny_weighed){fabs(m->y[i] - f[i]), rows->u[i] * rows->u[i]};
    }
    if (m->heard == 1) return moved;
    double most = ny_order_share(m->e, rows->n, m->heard);
    for (int64_t i = 0; i < rows->n; i++) rows->wild[i] = fabs(m->y[i] - f[i]) > most;
    return moved;
}

/* The same with f moved to the median of the errors. */
static double tame(small_machine *m, double *f) {
    middle_and_noise(m, f);
    for (int64_t i = 0; i < m->rows.n; i++) f[i] += m->shift;
    return retarget(m, f);
}

static ny_status begin(ny_ctx *ctx, const ny_setup *asked, const ny_training_rows *from, small_machine *m) {
    ny_status st = NY_OK;
    const ny_kernel *kernel = asked->candidate[0];
    double *f = NULL, lo, hi;
    m->setup = *asked;
    m->heard = 1;
    m->setup.machine = ny_machine_find("lssvm"); /* with the bias asked for */
    m->setup.criterion = &ny_criterion_loo;
    m->setup.posterior = NY_POSTERIOR_NO;
    m->setup.outputs = 1; /* all have the same targets */
    m->setup.C = (ny_range){.is_auto = true};
    m->sel = ny_selection_of(ctx, &m->setup, from);
    if (kernel->has_bandwidth) NY_TRY(ny_bandwidth_range(&m->sel, kernel, &lo, &hi, &m->guess));
    NY_TRY(ny_rows_draw(ctx, &m->setup, from, ROWS, &m->rows));
    NY_NEW_RAW(ctx, m->y, m->rows.n);
    memcpy(m->y, m->rows.y, (size_t)m->rows.n * sizeof *m->y);
    NY_NEW_RAW(ctx, m->e, m->rows.n);
    NY_NEW_RAW(ctx, m->error, m->rows.n);
    NY_NEW_RAW(ctx, m->d, m->rows.n);
    NY_NEW(ctx, f, m->rows.n);
    tame(m, f);
done:
    ny_free(f);
    return st;
}

static void end(small_machine *m) {
    ny_selection_clear(&m->sel);
    ny_rows_clear(&m->rows);
    ny_free(m->y);
    ny_free(m->e);
    ny_free(m->error);
    ny_free(m->d);
}

/* The machine at a bandwidth, again and again until its targets stay the same. The noise may do so while a part of the
 * outputs, by two noises each time, is still on its way to the targets. A stop leaves the last one that is ready. */
static ny_status settle(small_machine *m, const ny_point *point, ny_solution *s) {
    ny_status st = NY_OK;
    ny_solution next = {0};
    ny_profile profile = {0};
    double moved = INFINITY;
    ny_solution_clear(s);
    for (int round = 0; round < ROUNDS && moved > SAME * m->noise; round++) {
        ny_profile_clear(&profile);
        NY_TRY(ny_fit(&m->sel, &m->rows, NULL, LANDMARKS, point, &next, &profile));
        ny_solution_clear(s);
        *s = ny_solution_take(&next);
        moved = tame(m, s->held);
        s->f.b[0] += m->shift;
    }
done:
    ny_solution_clear(&next);
    ny_profile_clear(&profile);
    return st;
}

typedef struct {
    const ny_expansion *machine;
    ny_kernel_side Z, X;
    double *scratch; /* threads x landmarks x WIDTH */
    double *f;
} output_job;

/* f = K(Z, x)'beta + b */
static void output_tile(void *arg, int64_t first, int64_t count, int thread) {
    output_job *job = arg;
    int64_t m = job->machine->Z.n;
    double *K = job->scratch + (int64_t)thread * m * WIDTH;
    ny_kernel_tile(&job->machine->kernel, &job->Z, &job->X, first, count, K, m);
    for (int64_t i = 0; i < count; i++)
        job->f[first + i] = ny_dot(m, K + i * m, job->machine->beta) + job->machine->b[0];
}

/* Outputs for all rows; `rows` have theirs held out. */
static ny_status outputs(ny_ctx *ctx, const ny_rows *all, const ny_rows *rows, const ny_solution *s, double *f) {
    ny_status st = NY_OK;
    output_job job = {.machine = &s->f, .f = f};
    NY_TRY(ny_kernel_prepare(ctx, &s->f.Z, true, &job.Z));
    NY_TRY(ny_kernel_prepare(ctx, &all->X, false, &job.X));
    NY_NEW_RAW(ctx, job.scratch, ny_size3(ny_threads(), s->f.Z.n, WIDTH));
    ny_for_tiles(all->n, WIDTH, output_tile, &job);
    for (int64_t i = 0, k = 0; i < all->n && k < rows->n; i++)
        if (all->id[i] == rows->id[k]) f[i] = s->held[k++]; /* both are in the same order */
done:
    ny_kernel_release(&job.Z);
    ny_kernel_release(&job.X);
    ny_free(job.scratch);
    return st;
}

/* The best of three bandwidths, each from the targets that the best before has tamed, and so is what comes after. */
static ny_status best_width(small_machine *m, const ny_kernel *kernel, ny_solution *best, double *noise) {
    ny_status st = NY_OK;
    ny_solution s = {0};
    ny_solution_clear(best);
    for (int step = -1; step <= (kernel->has_bandwidth ? 1 : -1) && st == NY_OK; step++) {
        ny_point point = {kernel, exp2(m->guess + step), 0, 0};
        st = settle(m, &point, &s);
        if (!s.valid || (st != NY_OK && best->valid)) break;
        if (!best->valid || s.value < best->value) {
            ny_solution_clear(best);
            *best = ny_solution_take(&s);
            *noise = m->noise;
        } else {
            m->noise = *noise;
            retarget(m, best->held);
        }
    }
    ny_solution_clear(&s);
    return st;
}

/* Is there an earlier row of the same inputs and target? It tells what it tells once. */
static bool met_before(const small_machine *m, int64_t i) {
    const int64_t *copy = m->rows.copy;
    for (int64_t k = 0; copy && copy[i] >= 0 && k < i; k++)
        if (copy[k] == copy[i] && m->y[k] == m->y[i]) return true;
    return false;
}

/* To m->error: those of distinct rows; how many. */
static int64_t distinct_errors(small_machine *m, const double *f) {
    int64_t distinct = 0;
    for (int64_t i = 0; i < m->rows.n; i++)
        if (!met_before(m, i)) m->error[distinct++] = m->y[i] - f[i];
    return distinct;
}

/* The rows beyond the limits are not to be heard; how many they are, and how many have changed sides. */
static void silence(small_machine *m, const double *f, ny_wild_limits limits, int64_t *count, int64_t *changed) {
    *count = *changed = 0;
    for (int64_t i = 0; i < m->rows.n; i++) {
        bool wild = ny_is_wild(limits, m->y[i] - f[i]);
        *changed += wild != m->rows.wild[i];
        *count += m->rows.wild[i] = wild;
    }
}

/* By how many standard errors the held-out outputs f tell better than the share of the others who is wild:
 *     d_i = v_i (w_i - share(-i))^2 - v_i (w_i - f_i)^2,    sum d_i / sqrt(sum d_i^2) */
static double told_by(const ny_rows *rows, const double *w, const double *f) {
    double all = 0, wild = 0, sum = 0, squares = 0;
    for (int64_t i = 0; i < rows->n; i++) {
        all += rows->u[i] * rows->u[i];
        wild += rows->u[i] * rows->u[i] * w[i];
    }
    for (int64_t i = 0; i < rows->n; i++) {
        double v = rows->u[i] * rows->u[i], share = (wild - v * w[i]) / (all - v);
        double d = v * ((w[i] - share) * (w[i] - share) - (w[i] - f[i]) * (w[i] - f[i]));
        sum += d;
        squares += d * d;
    }
    return squares > 0 ? sum / sqrt(squares) : 0;
}

/* Do the inputs tell which rows are wild? Wrong targets may be anywhere. What has its place is a steep part of the
 * signal, or noise that is not the same everywhere, and it is for the machine to learn. */
static ny_status has_place(small_machine *m, const ny_kernel *kernel, bool *yes) {
    const double SURE = 3; /* standard errors */
    ny_status st = NY_OK;
    ny_rows *rows = &m->rows;
    ny_solution s = {0};
    ny_profile profile = {0};
    double *tamed = rows->y;
    bool *wild = rows->wild;
    *yes = false;
    for (int64_t i = 0; i < rows->n; i++) m->d[i] = wild[i];
    rows->y = m->d; /* these are the targets now, and every row is heard */
    rows->wild = NULL;
    for (int step = -1; step <= (kernel->has_bandwidth ? 1 : -1) && !*yes; step++) {
        ny_point point = {kernel, exp2(m->guess + step), 0, 0};
        ny_solution_clear(&s);
        ny_profile_clear(&profile);
        NY_TRY(ny_fit(&m->sel, rows, NULL, LANDMARKS, &point, &s, &profile));
        *yes = told_by(rows, rows->y, s.held) > SURE;
    }
done:
    rows->y = tamed;
    rows->wild = wild;
    ny_solution_clear(&s);
    ny_profile_clear(&profile);
    return st;
}

/* Rows that may be wild are not heard: those in the tail of the errors of `best`; and the machine without them. Nothing
 * is made where there are none. */
static ny_status doubt_tail(small_machine *m, const ny_kernel *kernel, const ny_solution *best, ny_solution *s,
                            double *noise) {
    int64_t count, changed;
    silence(m, best->held, ny_wild_suspect(distinct_errors(m, best->held), m->error, *noise, m->d), &count, &changed);
    return count ? best_width(m, kernel, s, noise) : NY_OK;
}

/* The same where wild rows have led `best` astray, so that they are not in its tail. At first the machine learns from
 * the rows of the smallest errors alone, which most of the wild ones are not among, and with each round fewer; then
 * from all that are not further away than 2.5 times the noise, until these stay the same. (Rousseeuw & Leroy 1987:
 * least trimmed squares, reweighted.) */
static ny_status doubt_quarter(small_machine *m, const ny_kernel *kernel, const ny_solution *best, ny_solution *s,
                               double *noise) {
    const double HEARD = 0.75, FAR = 2.5;
    ny_status st = NY_OK;
    int64_t count, changed = 1;
    m->heard = HEARD;
    m->noise = *noise;
    retarget(m, best->held);
    st = best_width(m, kernel, s, noise);
    m->heard = 1;
    NY_TRY(st);
    for (int look = 0; look < LOOKS && changed; look++) {
        silence(m, s->held, (ny_wild_limits){-FAR * *noise, FAR * *noise}, &count, &changed);
        if (changed) NY_TRY(best_width(m, kernel, s, noise));
    }
done:
    return st;
}

/* From the machine s without suspects, none where it is not valid: the machine without what is wild to that, until this
 * stays the same; left: there is something to be left out, and `best` and `out` are what is without it. */
static ny_status leave_out(small_machine *m, const ny_kernel *kernel, ny_solution *s, double noise, ny_solution *best,
                           ny_robust_start *out, bool *left) {
    ny_status st = NY_OK;
    ny_wild_limits limits;
    int64_t count, changed;
    bool place = false;
    for (int look = 1; s->valid && look <= LOOKS; look++) {
        limits = ny_wild_find(distinct_errors(m, s->held), m->error, noise, look, m->d);
        silence(m, s->held, limits, &count, &changed);
        if (count > 0 && (look == 1 || changed)) NY_TRY(has_place(m, kernel, &place));
        *left = count > 0 && !place;
        if (!*left || !changed) break;
        NY_TRY(best_width(m, kernel, s, &noise));
    }
    if (!*left) goto done;
    out->noise = noise;
    out->limits = limits;
    ny_solution_clear(best);
    *best = ny_solution_take(s);
done:
    return st;
}

/* `best` and `out` without the rows that no noise explains, where there are any. */
static ny_status without_wild(small_machine *m, const ny_kernel *kernel, ny_solution *best, ny_robust_start *out) {
    ny_status st = NY_OK;
    ny_solution s = {0};
    bool left = false;
    NY_NEW(m->sel.ctx, m->rows.wild, m->rows.n);
    for (int k = 0; k < 2 && !left; k++) {
        double noise = out->noise;
        ny_solution_clear(&s);
        NY_TRY((k ? doubt_quarter : doubt_tail)(m, kernel, best, &s, &noise));
        NY_TRY(leave_out(m, kernel, &s, noise, best, out, &left));
    }
done:
    ny_solution_clear(&s);
    return st;
}

/* A stop leaves the best there is, at least the median of the targets: whoever comes next notices. */
ny_status ny_robust_start_make(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *rows, ny_robust_start *out) {
    ny_status st = NY_OK;
    const ny_kernel *kernel = setup->candidate[0];
    small_machine m = {0};
    ny_solution best = {0};
    NY_TRY(begin(ctx, setup, rows, &m));
    double median = m.shift;
    out->noise = m.noise;
    out->limits = (ny_wild_limits){-INFINITY, INFINITY};
    st = best_width(&m, kernel, &best, &out->noise);
    if (st == NY_OK) st = without_wild(&m, kernel, &best, out);
    if (st == NY_STOPPED) st = NY_OK;
    NY_TRY(st);
    NY_NEW_RAW(ctx, out->f, rows->all.n);
    for (int64_t i = 0; i < rows->all.n; i++) out->f[i] = median;
    if (best.valid) NY_TRY(outputs(ctx, &rows->all, &m.rows, &best, out->f));
done:
    end(&m);
    ny_solution_clear(&best);
    if (st != NY_OK) ny_robust_start_clear(out);
    return st;
}
