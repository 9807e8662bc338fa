/* find_C.c: C for the price of one decomposition.
 *
 * Automatic range: 1/C lives on the scale of the spectrum of A, so the ladder is C = 4^k / trace(A), k = 2 .. 12; an
 * optimum on its end extends it. Each output then refines its own C by half and quarter steps. The trace is rounded to
 * a power of two: the last bits of a sum, which depend on the number of threads, must not reach the model through C. */
#include "find_C.h"

#include <math.h>
#include <string.h>

enum { LADDER_FIRST = 2, LADDER_LAST = 12, LADDER_MIN = -3, LADDER_MAX = LADDER_MIN + NY_C_LADDER - 1 };

/* Held-out outputs that may turn out to be those of the best C. */
static void remember(ny_C_search *b, int64_t j, double C, double loss, const double *f) {
    if (!b->held_C || b->spec->criterion->value || !(loss < b->held_loss[j])) return; /* `value` is still to come */
    memcpy(b->held + j * b->P->n, f, (size_t)b->P->n * sizeof *f);
    b->held_C[j] = C;
    b->held_loss[j] = loss;
}

/* Weighted share of rows that all outputs together decide wrongly. f: n x q. */
static double decision_error(const ny_C_search *b, const double *f) {
    const ny_problem *P = b->P;
    double wrong = 0, weight = 0;
    if (P->unjudged == P->n) return 0;
    for (int64_t i = P->unjudged; i < P->n; i++) {
        for (int64_t j = 0; j < P->q; j++) b->row[j] = f[i + P->n * j];
        double v = P->u[i] * P->u[i];
        if (ny_codes_decide(b->spec->coding, b->spec->classes, b->row) != b->spec->code[i]) wrong += v;
        weight += v;
    }
    return wrong / weight;
}

ny_status ny_C_own_value(const ny_C_search *b, const ny_C_list *list, double *value, double *report) {
    return b->spec->criterion->value->at(b->ctx, b->judge.state, list, value, report);
}

/* What each output's C is chosen by, loss[c + k*j], for every C of the list; error[c] when asked for (lists common to
 * all outputs). */
static ny_status losses(ny_C_search *b, const ny_C_list *list, double *loss, double *error) {
    ny_status st = NY_OK;
    int64_t nq = b->P->n * b->P->q, k = list->k;
    double *part = NULL;
    if (b->P->fold_moments) return b->spec->criterion->closed->moments->loss(b->ctx, b->judge.state, list, loss, NULL);
    if (b->spec->criterion->value && !error) return ny_C_own_value(b, list, loss, NULL);
    NY_NEW_RAW(b->ctx, part, b->chunk * b->P->q);
    for (int64_t first = 0; first < k; first += b->chunk) {
        int64_t count = k - first < b->chunk ? k - first : b->chunk;
        if (ny_should_stop(b->ctx)) NY_FAIL(b->ctx, NY_STOPPED, "stopped");
        for (int64_t j = 0; j < (list->each ? b->P->q : 1); j++)
            for (int64_t c = 0; c < count; c++) part[c + count * j] = list->C[first + c + k * j];
        ny_C_list now = {count, list->each, part};
        NY_TRY(ny_judge_held(b->ctx, &b->judge, &now, b->F));
        for (int64_t c = 0; c < count; c++) {
            for (int64_t j = 0; j < b->P->q; j++) {
                if (ny_C_at(&now, c, j) == 0) continue;
                loss[first + c + k * j] = ny_held_loss(b->P, j, b->F + b->P->n * j + nq * c);
                remember(b, j, ny_C_at(&now, c, j), loss[first + c + k * j], b->F + b->P->n * j + nq * c);
            }
            if (error) error[first + c] = decision_error(b, b->F + nq * c);
        }
    }
done:
    ny_free(part);
    return st;
}

static double mean_over_outputs(const double *loss, int64_t c, int64_t k, int64_t q) {
    double sum = 0;
    for (int64_t j = 0; j < q; j++) sum += loss[c + k * j];
    return sum / (double)q;
}

/* Index of the best C of output j among k ascending ones: by error (the same for all outputs), the smallest among
 * equals, or by loss. */
static int64_t best_of(const double *loss, const double *error, int64_t k, int64_t j) {
    int64_t best = 0;
    const double *by = error ? error : loss + k * j;
    for (int64_t c = 1; c < k; c++)
        if (by[c] < by[best] || !(by[best] == by[best])) best = c;
    return best;
}

/* Evaluates the common list C (k values), appends it to `out`, keeps each output's best so far. */
static ny_status try_common(ny_C_search *b, int64_t k, const double *C, ny_profile *out, double *error_best,
                            int64_t *at) {
    ny_status st = NY_OK;
    int64_t q = b->P->q;
    double *loss = NULL, *error = NULL;
    NY_NEW_RAW(b->ctx, loss, k * q);
    if (b->spec->on_error) NY_NEW_RAW(b->ctx, error, k);
    ny_C_list list = {k, false, C};
    NY_TRY(losses(b, &list, loss, error));
    for (int64_t j = 0; j < q; j++) {
        int64_t c = best_of(loss, error, k, j);
        bool fewer = error && (error[c] < *error_best || (error[c] == *error_best && C[c] < out->C[j]));
        bool better = error ? fewer : !(loss[c + k * j] >= out->loss[j]);
        if (better) out->C[j] = C[c], out->loss[j] = loss[c + k * j], at[j] = c;
        else at[j] = -1;
    }
    if (error) *error_best = fmin(*error_best, error[best_of(loss, error, k, 0)]);
    double outputs = 1;
    if (ny_criterion_nats(b->spec->criterion)) { /* log probabilities of independent outputs add up */
        NY_TRY(ny_C_own_value(b, &list, loss, loss));
        outputs = (double)q;
    }
    for (int64_t c = 0; c < k; c++) {
        out->tried_C[out->tried] = C[c];
        out->tried_loss[out->tried++] = outputs * mean_over_outputs(loss, c, k, q);
    }
done:
    ny_free(loss);
    ny_free(error);
    return st;
}

/* C x 2^(+-step) around every output's best. */
static ny_status refine(ny_C_search *b, double step, ny_profile *out) {
    ny_status st = NY_OK;
    int64_t q = b->P->q;
    double *C = NULL, *loss = NULL;
    NY_NEW_RAW(b->ctx, C, 2 * q);
    NY_NEW_RAW(b->ctx, loss, 2 * q);
    for (int64_t j = 0; j < q; j++) C[2 * j] = out->C[j] * exp2(-step), C[2 * j + 1] = out->C[j] * exp2(step);
    ny_C_list list = {2, true, C};
    NY_TRY(losses(b, &list, loss, NULL));
    for (int64_t c = 0; c < 2 * q; c++)
        if (loss[c] < out->loss[c / 2]) out->C[c / 2] = C[c], out->loss[c / 2] = loss[c];
done:
    ny_free(C);
    ny_free(loss);
    return st;
}

/* The last bits of C by the sign of the slope: from a quarter of an octave to 1/64. */
static ny_status polish(ny_C_search *b, ny_profile *out) {
    ny_status st = NY_OK;
    int64_t q = b->P->q;
    double *slope = NULL;
    ny_C_list list = {1, true, out->C};
    NY_NEW_RAW(b->ctx, slope, q);
    for (double step = 0.25; step > 0.01; step /= 2) {
        NY_TRY(b->spec->criterion->value->slope(b->ctx, b->judge.state, &list, slope));
        for (int64_t j = 0; j < q; j++) out->C[j] *= exp2(slope[j] < 0 ? step : -step);
    }
    NY_TRY(ny_C_own_value(b, &list, out->loss, NULL));
done:
    ny_free(slope);
    return st;
}

/* The C of step 0, from which the ladder is counted. */
static double bottom(const ny_C_search *b) {
    return 1 / exp2(round(log2(fmax(ny_judge_trace(&b->judge) / b->spec->unit, 1e-300))));
}

/* One step k of the ladder for all outputs; helped: whether it is the best so far for one of them, or has the least
 * loss of all on a plateau of the number of errors. */
static ny_status rung(ny_C_search *b, int k, ny_profile *out, double *error_best, int64_t *at, bool *helped) {
    double C = bottom(b) * exp2(2 * k);
    ny_status st = try_common(b, 1, &C, out, error_best, at);
    *helped = false;
    for (int64_t j = 0; j < b->P->q; j++) *helped |= at[j] == 0;
    if (!b->spec->on_error || st != NY_OK) return st;
    double least = INFINITY, last = out->tried_loss[out->tried - 1];
    for (int64_t c = 0; c < out->tried - 1; c++) least = fmin(least, out->tried_loss[c]);
    *helped |= last < least;
    return st;
}

/* Machines that cost a training each: up the ladder until two steps have helped no output, down while a step helps. */
static ny_status climb(ny_C_search *b, ny_profile *out) {
    ny_status st = NY_OK;
    int64_t q = b->P->q, *at = NULL;
    double error_best = INFINITY;
    const int first = LADDER_FIRST + 1;
    NY_NEW(b->ctx, at, q);
    NY_NEW_RAW(b->ctx, out->tried_C, NY_C_LADDER);
    NY_NEW_RAW(b->ctx, out->tried_loss, NY_C_LADDER);
    bool low = false, helped;
    for (int k = first, stale = 0; k <= LADDER_MAX && stale < 2; k++) {
        NY_TRY(rung(b, k, out, &error_best, at, &helped));
        stale = helped ? 0 : stale + 1;
    }
    for (int64_t j = 0; j < q; j++) low |= out->C[j] == bottom(b) * exp2(2 * first);
    for (int k = first - 1; low && k >= LADDER_MIN; k--) NY_TRY(rung(b, k, out, &error_best, at, &low));
    if (!b->spec->on_error) NY_TRY(refine(b, 1, out));
done:
    ny_free(at);
    return st;
}

/* The same from a C for each output that a smaller machine or another bandwidth has found. C = 0: nothing to try. */
static ny_status nearby(ny_C_search *b, ny_profile *out) {
    ny_status st = NY_OK;
    int64_t q = b->P->q;
    double *C = NULL, *loss = NULL, *way = NULL;
    NY_NEW_RAW(b->ctx, C, q);
    NY_NEW_RAW(b->ctx, loss, q);
    NY_NEW(b->ctx, way, q); /* steps of log2 C an output moves by; 0: it has arrived */
    memcpy(out->C, b->spec->C_near, (size_t)q * sizeof *C);
    ny_C_list list = {1, true, C};
    memcpy(C, out->C, (size_t)q * sizeof *C);
    NY_TRY(losses(b, &list, out->loss, NULL));
    double step = b->spec->stood_in ? 2 : 1; /* of log2 C */
    double least = bottom(b) * exp2(2 * LADDER_MIN), most = bottom(b) * exp2(2 * LADDER_MAX);
    bool down = b->spec->stood_in || !b->spec->smaller;
    for (double sign = step; sign >= (down ? -step : step); sign -= 2 * step) {
        for (int64_t j = 0; j < q; j++) way[j] = out->C[j] == b->spec->C_near[j] ? sign : 0;
        for (int moves = 0; moves < NY_C_LADDER; moves++) {
            bool moving = false;
            for (int64_t j = 0; j < q; j++) {
                if (!(out->C[j] * exp2(way[j]) >= least && out->C[j] * exp2(way[j]) <= most)) way[j] = 0;
                C[j] = way[j] == 0 ? 0 : out->C[j] * exp2(way[j]);
                moving |= way[j] != 0;
            }
            if (!moving) break;
            NY_TRY(losses(b, &list, loss, NULL));
            for (int64_t j = 0; j < q; j++)
                if (way[j] != 0 && loss[j] < out->loss[j]) out->C[j] = C[j], out->loss[j] = loss[j];
                else way[j] = 0;
        }
    }
    if (b->spec->stood_in) NY_TRY(refine(b, 1, out));
done:
    ny_free(C);
    ny_free(loss);
    ny_free(way);
    return st;
}

/* The criterion finds C by itself. */
static ny_status by_itself(ny_C_search *b, ny_profile *out) {
    ny_C_choice choice = {b->spec->C_near, b->spec->on_error, out->C, out->loss, out->held, b->spec->lambda_min};
    ny_status st = ny_judge_choose(&b->judge)(b->ctx, b->judge.state, &choice);
    memcpy(b->held_C, out->C, (size_t)b->P->q * sizeof *out->C); /* held-out outputs are those at C */
    return st;
}

static ny_status ladder(ny_C_search *b, ny_profile *out) {
    ny_status st = NY_OK;
    int64_t q = b->P->q, *at = NULL;
    double C[NY_C_LADDER], error_best = INFINITY, base = bottom(b);
    const ny_own_value *own = b->spec->criterion->value;
    NY_NEW(b->ctx, at, q);
    NY_NEW_RAW(b->ctx, out->tried_C, NY_C_LADDER);
    NY_NEW_RAW(b->ctx, out->tried_loss, NY_C_LADDER);
    for (int k = LADDER_FIRST; k <= LADDER_LAST; k++) C[k - LADDER_FIRST] = base * exp2(2 * k);
    int64_t count = LADDER_LAST - LADDER_FIRST + 1;
    NY_TRY(try_common(b, count, C, out, &error_best, at));
    bool low = false, high = false;
    for (int64_t j = 0; j < q; j++) low |= at[j] == 0, high |= at[j] == count - 1;
    for (int k = LADDER_LAST + 1; high && k <= LADDER_MAX; k++) NY_TRY(rung(b, k, out, &error_best, at, &high));
    for (int k = LADDER_FIRST - 1; low && k >= LADDER_MIN; k--) NY_TRY(rung(b, k, out, &error_best, at, &low));
    for (double step = 1; step >= 0.5 && !b->spec->on_error; step /= 2) NY_TRY(refine(b, step, out));
    if (own && own->slope && !b->spec->on_error) NY_TRY(polish(b, out));
done:
    ny_free(at);
    return st;
}

static ny_status given(ny_C_search *b, ny_profile *out) {
    ny_status st = NY_OK;
    int64_t count, *at = NULL;
    double *C = NULL, error_best = INFINITY;
    NY_TRY(ny_range_points(b->ctx, &b->spec->C, &count, &C));
    NY_NEW(b->ctx, at, b->P->q);
    NY_NEW_RAW(b->ctx, out->tried_C, count);
    NY_NEW_RAW(b->ctx, out->tried_loss, count);
    NY_TRY(try_common(b, count, C, out, &error_best, at));
    for (int64_t j = 0; j < b->P->q && count > 1; j++)
        if (at[j] == 0 || at[j] == count - 1) out->edge = at[j] == 0 ? -1 : 1;
done:
    ny_free(C);
    ny_free(at);
    return st;
}

/* One C for each output: nothing to choose. */
static ny_status given_each(ny_C_search *b, ny_profile *out) {
    ny_C_list list = {1, true, out->C};
    memcpy(out->C, b->spec->C_each, (size_t)b->P->q * sizeof *out->C);
    return losses(b, &list, out->loss, NULL);
}

ny_status ny_find_C(ny_C_search *b, ny_profile *out) {
    const ny_profile_spec *spec = b->spec;
    if (spec->C_each) return given_each(b, out);
    if (!spec->C.is_auto) return given(b, out);
    if (ny_judge_choose(&b->judge) && (b->P->q == 1 || !spec->on_error)) return by_itself(b, out);
    if (spec->kind == NY_ITERATIVE) return spec->C_near && !spec->on_error ? nearby(b, out) : climb(b, out);
    return ladder(b, out);
}

ny_status ny_find_least(ny_C_search *b, ny_profile *out) {
    ny_status st = NY_OK;
    const ny_profile_spec *asked = b->spec;
    ny_profile_spec smooth = *asked;
    ny_C_list best = {1, true, out->C};
    smooth.on_error = false;
    b->spec = &smooth;
    NY_TRY(ny_find_C(b, out));
    memcpy(out->least, out->loss, (size_t)b->P->q * sizeof *out->loss);
    if (asked->criterion->value && b->spec->kind == NY_CLOSED_FORM)
        NY_TRY(ny_C_own_value(b, &best, out->least, out->least));
    ny_free(out->tried_C);
    ny_free(out->tried_loss);
    out->tried_C = out->tried_loss = NULL;
    out->tried = out->edge = 0;
    for (int64_t j = 0; j < b->P->q; j++) out->loss[j] = INFINITY, out->C[j] = 1;
done:
    b->spec = asked;
    return st;
}
