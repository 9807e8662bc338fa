/* record_fields.c: the plain fields of the record and its parts, each once: in the order of meta.json, and of reports
 * where they tell the same. */
#include "record_fields.h"

const ny_field ny_record_fields[] = {
    NY_FIELD(ny_record, text, source),
    NY_FIELD(ny_record, text, criterion),
    NY_FIELD(ny_record, whole, folds),
    NY_FIELD(ny_record, real, value),
    NY_FIELD(ny_record, real, error),
    NY_FIELD(ny_record, real, std_error),
    NY_FIELD(ny_record, maybe, squared_error),
    NY_FIELD(ny_record, maybe, error_lower),
    NY_FIELD(ny_record, maybe, error_upper),
    NY_FIELD(ny_record, maybe, plain_error),
    NY_FIELD(ny_record, maybe, baseline_error),
    NY_FIELD(ny_record, maybe, baseline_gain),
    NY_FIELD(ny_record, whole, predicted_bytes),
    NY_FIELD(ny_record, bits, seed),
    NY_FIELD(ny_record, small, threads),
    NY_FIELD(ny_record, whole, rows),
    NY_FIELD(ny_record, whole, inputs),
    NY_FIELD(ny_record, whole, landmarks),
    NY_FIELD(ny_record, whole, rank),
    NY_FIELD(ny_record, maybe, kernel_kept),
    NY_FIELD(ny_record, flag, exact),
    NY_FIELD(ny_record, phrase, route),
    NY_FIELD(ny_record, phrase, why),
    NY_FIELD(ny_record, flag, stopped),
    {0},
};

const ny_field ny_cost_fields[] = {
    NY_FIELD(ny_record, maybe, seconds_read),
    NY_FIELD(ny_record, maybe, seconds_scale),
    NY_FIELD(ny_record, maybe, seconds_landmarks),
    NY_FIELD(ny_record, maybe, seconds_select),
    NY_FIELD(ny_record, maybe, seconds_train),
    NY_FIELD(ny_record, maybe, seconds_total),
    NY_FIELD(ny_record, maybe, predicted_seconds),
    NY_FIELD(ny_record, count, peak_bytes),
    {0},
};

const ny_field ny_bound_fields[] = {
    NY_FIELD(ny_bound, maybe, kernel_error),  NY_FIELD(ny_bound, maybe, kernel_error_upper),
    NY_FIELD(ny_bound, maybe, accuracy),      NY_FIELD(ny_bound, flag, exact),
    NY_FIELD(ny_bound, maybe, kernel_norm),   NY_FIELD(ny_bound, maybe, bound),
    NY_FIELD(ny_bound, maybe, bound_paper),   NY_FIELD(ny_bound, maybe, deviation_max),
    NY_FIELD(ny_bound, maybe, deviation_rms), NY_FIELD(ny_bound, whole, deviation_rows),
    NY_FIELD(ny_bound, maybe, seconds),       {0},
};

const ny_field ny_comparison_fields[] = {
    NY_FIELD_AS(ny_comparison, text, criterion, "name"),
    NY_FIELD(ny_comparison, maybe, value),
    NY_FIELD(ny_comparison, maybe, error),
    NY_FIELD_AS(ny_comparison, maybe, std_error, "stderr"),
    NY_FIELD(ny_comparison, maybe, best_C),
    NY_FIELD(ny_comparison, maybe, best_value),
    NY_FIELD(ny_comparison, maybe, best_error),
    {0},
};

const ny_field ny_solver_fields[] = {
    NY_FIELD(ny_solver, whole, iterations),
    NY_FIELD(ny_solver, maybe, residual),
    NY_FIELD(ny_solver, whole, rank),
    NY_FIELD(ny_solver, maybe, seconds),
    {0},
};

const ny_field ny_descent_fields[] = {
    NY_FIELD(ny_descent, whole, steps),
    NY_FIELD(ny_descent, maybe, gap),
    {0},
};

const ny_field ny_measures_fields[] = {
    NY_FIELD(ny_measures, maybe, width),
    NY_FIELD(ny_measures, maybe, level),
    NY_FIELD(ny_measures, maybe, noise),
    NY_FIELD(ny_measures, maybe, crossed),
    {0},
};

const ny_field ny_judged_fields[] = {
    NY_FIELD(ny_judged, text, name),
    NY_FIELD(ny_judged, real, relevance),
    NY_FIELD(ny_judged, flag, kept),
    {0},
};

const ny_field ny_evaluation_fields[] = {
    NY_FIELD(ny_evaluation, kernel, kernel),
    NY_FIELD(ny_evaluation, real, bandwidth),
    NY_FIELD(ny_evaluation, real, C),
    NY_FIELD(ny_evaluation, real, value),
    NY_FIELD(ny_evaluation, real, error),
    NY_FIELD(ny_evaluation, whole, rows),
    NY_FIELD(ny_evaluation, whole, landmarks),
    NY_FIELD(ny_evaluation, count, rank),
    {0},
};

json_t *ny_descent_json(ny_ctx *ctx, const ny_descent *d) {
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", json_string("newton"));
    bad |= ny_fields_add(ctx, NY_JSON_FILE, ny_descent_fields, d, object);
    bad |= json_object_set_new(object, "objective", ny_json_numbers(d->outputs, d->objective));
    return ny_json_kept(object, bad);
}
