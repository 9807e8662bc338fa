/* record_members.c: the plain members of the record and its parts, each once: in the order of meta.json, and of reports
 * where they tell the same. */
#include "record_members.h"

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
    NY_MEMBER(ny_record, flag, stopped),
    {0},
};

const ny_member ny_cost_members[] = {
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
    NY_MEMBER(ny_bound, maybe, kernel_error),  NY_MEMBER(ny_bound, maybe, kernel_error_upper),
    NY_MEMBER(ny_bound, maybe, accuracy),      NY_MEMBER(ny_bound, flag, exact),
    NY_MEMBER(ny_bound, maybe, kernel_norm),   NY_MEMBER(ny_bound, maybe, bound),
    NY_MEMBER(ny_bound, maybe, bound_paper),   NY_MEMBER(ny_bound, maybe, deviation_max),
    NY_MEMBER(ny_bound, maybe, deviation_rms), NY_MEMBER(ny_bound, whole, deviation_rows),
    NY_MEMBER(ny_bound, maybe, seconds),       {0},
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
    {0},
};

json_t *ny_descent_json(ny_ctx *ctx, const ny_descent *d) {
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", json_string("newton"));
    bad |= ny_members_add(ctx, NY_JSON_FILE, ny_descent_members, d, object);
    bad |= json_object_set_new(object, "objective", ny_json_numbers(d->outputs, d->objective));
    return ny_json_kept(object, bad);
}
