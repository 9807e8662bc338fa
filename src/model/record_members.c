/* record_members.c: the plain members of the record and its parts, each once: in the order of meta.json, and of reports
 * where they tell the same. */
#include "record_members.h"

#include "model_meta.h"

const ny_member ny_record_members[] = {
    NY_MEMBER(ny_record, text, source),
    NY_MEMBER(ny_record, text, criterion),
    NY_MEMBER(ny_record, whole, folds),
    NY_MEMBER_IN(ny_record, real, expected, value),
    NY_MEMBER_IN(ny_record, real, expected, error),
    NY_MEMBER_IN(ny_record, real, expected, std_error),
    NY_MEMBER_IN(ny_record, maybe, expected, squared_error),
    NY_MEMBER_IN(ny_record, maybe, expected, error_lower),
    NY_MEMBER_IN(ny_record, maybe, expected, error_upper),
    NY_MEMBER_IN(ny_record, maybe, expected, plain_error),
    NY_MEMBER_IN(ny_record, maybe, expected, baseline_error),
    NY_MEMBER_IN(ny_record, maybe, expected, baseline_gain),
    NY_MEMBER_IN(ny_record, whole, spent, predicted_bytes),
    NY_MEMBER(ny_record, bits, seed),
    NY_MEMBER(ny_record, small, threads),
    NY_MEMBER(ny_record, whole, rows),
    NY_MEMBER(ny_record, whole, inputs),
    NY_MEMBER_IN(ny_record, whole, origin, landmarks),
    NY_MEMBER_IN(ny_record, whole, origin, rank),
    NY_MEMBER_IN(ny_record, maybe, origin, kernel_kept),
    NY_MEMBER_IN(ny_record, flag, origin, exact),
    NY_MEMBER_IN(ny_record, phrase, origin, route),
    NY_MEMBER_IN(ny_record, phrase, origin, why),
    NY_MEMBER_IN(ny_record, phrase, origin, scale),
    NY_MEMBER_IN(ny_record, maybe, origin, rank_error),
    NY_MEMBER(ny_record, flag, stopped),
    {0},
};

/* What the run took, which differs from run to run: it is not written, so that equal trainings give equal files, and
 * read where older versions wrote it. `seconds` of the other tables is written as null. */
static const ny_member cost_members[] = {
    NY_MEMBER_IN(ny_record, maybe, spent, seconds_read),
    NY_MEMBER_IN(ny_record, maybe, spent, seconds_scale),
    NY_MEMBER_IN(ny_record, maybe, spent, seconds_landmarks),
    NY_MEMBER_IN(ny_record, maybe, spent, seconds_select),
    NY_MEMBER_IN(ny_record, maybe, spent, seconds_train),
    NY_MEMBER_IN(ny_record, maybe, spent, seconds_total),
    NY_MEMBER_IN(ny_record, maybe, spent, predicted_seconds),
    NY_MEMBER_IN(ny_record, count, spent, peak_bytes),
    {0},
};

const ny_member ny_bound_members[] = {
    NY_MEMBER(ny_bound, maybe, kernel_error),
    NY_MEMBER(ny_bound, maybe, kernel_error_upper),
    NY_MEMBER(ny_bound, maybe, accuracy),
    NY_MEMBER(ny_bound, flag, exact),
    NY_MEMBER(ny_bound, maybe, kernel_norm),
    NY_MEMBER(ny_bound, maybe, bound),
    NY_MEMBER(ny_bound, maybe, bound_paper),
    NY_MEMBER(ny_bound, maybe, deviation_max),
    NY_MEMBER(ny_bound, maybe, deviation_rms),
    NY_MEMBER(ny_bound, whole, deviation_rows),
    NY_MEMBER(ny_bound, maybe, epsilon),
    NY_MEMBER(ny_bound, maybe, kernel_error_prior),
    NY_MEMBER(ny_bound, maybe, bound_prior),
    NY_MEMBER(ny_bound, maybe, seconds),
    {0},
};

const ny_member ny_comparison_members[] = {
    NY_MEMBER_AS(ny_comparison, text, criterion, "name"),
    NY_MEMBER(ny_comparison, maybe, value),
    NY_MEMBER(ny_comparison, maybe, error),
    NY_MEMBER_AS(ny_comparison, maybe, std_error, "stderr"),
    NY_MEMBER(ny_comparison, maybe, best_C),
    NY_MEMBER(ny_comparison, maybe, best_value),
    NY_MEMBER(ny_comparison, maybe, best_error),
    {0},
};

const ny_member ny_solver_members[] = {
    NY_MEMBER(ny_solver, whole, iterations),
    NY_MEMBER(ny_solver, maybe, residual),
    NY_MEMBER(ny_solver, whole, rank),
    NY_MEMBER(ny_solver, maybe, seconds),
    {0},
};

const ny_member ny_descent_members[] = {
    NY_MEMBER(ny_descent, whole, steps),
    NY_MEMBER(ny_descent, maybe, gap),
    {0},
};

const ny_member ny_measures_members[] = {
    NY_MEMBER(ny_measures, maybe, width),
    NY_MEMBER(ny_measures, maybe, level),
    NY_MEMBER(ny_measures, maybe, noise),
    NY_MEMBER(ny_measures, maybe, crossed),
    {0},
};

const ny_member ny_weighing_members[] = {
    NY_MEMBER(ny_weighing, phrase, used),
    NY_MEMBER(ny_weighing, whole, rows),
    NY_MEMBER(ny_weighing, whole, landmarks),
    NY_MEMBER(ny_weighing, whole, weights),
    NY_MEMBER(ny_weighing, maybe, equal),
    NY_MEMBER(ny_weighing, maybe, slopes),
    NY_MEMBER(ny_weighing, maybe, evidence),
    NY_MEMBER(ny_weighing, maybe, penalty),
    {0},
};

const ny_member ny_judged_members[] = {
    NY_MEMBER(ny_judged, text, name),
    NY_MEMBER(ny_judged, real, relevance),
    NY_MEMBER(ny_judged, flag, kept),
    {0},
};

const ny_member ny_evaluation_members[] = {
    NY_MEMBER(ny_evaluation, kernel, kernel),
    NY_MEMBER(ny_evaluation, real, bandwidth),
    NY_MEMBER(ny_evaluation, real, C),
    NY_MEMBER(ny_evaluation, real, value),
    NY_MEMBER(ny_evaluation, real, error),
    NY_MEMBER(ny_evaluation, whole, rows),
    NY_MEMBER(ny_evaluation, whole, landmarks),
    NY_MEMBER(ny_evaluation, count, rank),
    NY_MEMBER(ny_evaluation, maybe, log_loss),
    {0},
};

const ny_member ny_inferred_members[] = {
    NY_MEMBER(ny_inferred, maybe, mu),
    NY_MEMBER(ny_inferred, maybe, zeta),
    NY_MEMBER(ny_inferred, maybe, gamma_eff),
    NY_MEMBER(ny_inferred, maybe, log_mu_stderr),
    NY_MEMBER(ny_inferred, maybe, log_zeta_stderr),
    {0},
};

json_t *ny_descent_json(ny_ctx *ctx, const ny_descent *d) {
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", json_string("newton"));
    bad |= ny_members_add(ctx, NY_JSON_FILE, ny_descent_members, d, object);
    bad |= json_object_set_new(object, "objective", ny_json_numbers(d->outputs, d->objective));
    return ny_json_kept(object, bad);
}

/* ---- the record of meta.json; parts that older versions do not write may be missing ------------------------------ */

/* A part that is there only where it was asked for. */
static ny_status read_part(ny_ctx *ctx, const json_t *record, const char *name, const ny_member *member, void *part,
                           bool *known) {
    const json_t *object;
    ny_status st = NY_OK;
    if (!json_object_get(record, name)) goto done;
    NY_TRY(ny_get_object(ctx, record, name, &object));
    NY_TRY(ny_members_read(ctx, object, member, part));
    *known = true;
done:
    return st;
}

static ny_status read_newton(ny_ctx *ctx, const json_t *record, ny_descent *d) {
    ny_status st = read_part(ctx, record, "newton", ny_descent_members, d, &d->known);
    if (st != NY_OK || !d->known) return st;
    return ny_get_reals(ctx, json_object_get(record, "newton"), "objective", &d->outputs, &d->objective);
}

/* The lists. Those that older versions do not write are empty where they are missing; a length is set with its list, so
 * that the owner can free what was read before a failure. */
static ny_status read_lists(ny_ctx *ctx, const json_t *record, ny_record *r) {
    const json_t *list;
    ny_status st = NY_OK;
    if (json_object_get(record, "criteria")) {
        NY_TRY(ny_get_list(ctx, record, "criteria", &list));
        NY_NEW(ctx, r->comparison, (int64_t)json_array_size(list));
        r->comparisons = (int64_t)json_array_size(list);
        NY_TRY(ny_members_read_list(ctx, list, ny_comparison_members, sizeof *r->comparison, r->comparison));
    }
    if (json_object_get(record, "evidence")) {
        NY_TRY(ny_get_list(ctx, record, "evidence", &list));
        NY_NEW(ctx, r->level, (int64_t)json_array_size(list));
        r->levels = (int64_t)json_array_size(list);
        NY_TRY(ny_members_read_list(ctx, list, ny_inferred_members, sizeof *r->level, r->level));
    }
    if (json_object_get(record, "relevance")) {
        NY_TRY(ny_get_list(ctx, record, "relevance", &list));
        NY_NEW(ctx, r->column, (int64_t)json_array_size(list));
        r->columns = (int64_t)json_array_size(list);
        NY_TRY(ny_members_read_list(ctx, list, ny_judged_members, sizeof *r->column, r->column));
    }
    NY_TRY(ny_get_list(ctx, record, "evaluations", &list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        ny_evaluation e = {0};
        NY_TRY(ny_members_read(ctx, json_array_get(list, i), ny_evaluation_members, &e));
        NY_TRY(ny_record_evaluation(ctx, r, e));
    }
done:
    return st;
}

ny_status ny_record_read(ny_ctx *ctx, const json_t *meta, ny_record *record) {
    const json_t *object, *list;
    char *note = NULL;
    ny_status st;
    NY_TRY(ny_get_object(ctx, meta, "record", &object));
    NY_TRY(ny_members_read(ctx, object, ny_record_members, record));
    NY_TRY(ny_members_read(ctx, object, cost_members, record));
    NY_TRY(read_part(ctx, object, "bound", ny_bound_members, &record->bound, &record->bound.known));
    NY_TRY(read_part(ctx, object, "solver", ny_solver_members, &record->solver, &record->solver.known));
    NY_TRY(read_newton(ctx, object, &record->descent));
    NY_TRY(read_part(ctx, object, "loss", ny_measures_members, &record->loss, &record->loss.known));
    NY_TRY(read_part(ctx, object, "metric", ny_weighing_members, &record->metric, &record->metric.known));
    NY_TRY(read_lists(ctx, object, record));
    NY_TRY(ny_get_list(ctx, object, "notes", &list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        st = ny_json_read_bytes(ctx, json_array_get(list, i), &note);
        if (st == NY_ERR_MODEL) ny_bad_field(ctx, "notes", "a list of texts");
        if (st != NY_OK) goto done;
        NY_TRY(ny_record_note(ctx, record, "%s", note));
        ny_free(note);
        note = NULL;
    }
done:
    ny_free(note);
    return st;
}
