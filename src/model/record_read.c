/* record_read.c: the record of meta.json: what was chosen, tried and measured. Parts that older versions do not write
 * may be missing. */
#include "json_get.h"
#include "json_util.h"
#include "model_meta.h"

static ny_status read_evaluation(ny_ctx *ctx, const json_t *object, ny_record *record) {
    ny_evaluation e = {0};
    ny_status st;
    const char *name = json_string_value(json_object_get(object, "kernel"));
    e.kernel = name ? ny_kernel_find(name) : NULL;
    NY_CHECK(ctx, e.kernel, NY_ERR_MODEL, "an evaluation has no known kernel");
    NY_TRY(ny_get_real(ctx, object, "bandwidth", &e.bandwidth));
    NY_TRY(ny_get_real(ctx, object, "C", &e.C));
    NY_TRY(ny_get_real(ctx, object, "value", &e.value));
    NY_TRY(ny_get_maybe(ctx, object, "error", &e.error)); /* unknown where rows came in passes */
    NY_TRY(ny_get_whole(ctx, object, "rows", &e.rows));
    NY_TRY(ny_get_whole(ctx, object, "landmarks", &e.landmarks));
    if (json_object_get(object, "rank")) NY_TRY(ny_get_whole(ctx, object, "rank", &e.rank));
    NY_TRY(ny_record_evaluation(ctx, record, e));
done:
    return st;
}

static ny_status read_bound(ny_ctx *ctx, const json_t *record, ny_bound *b) {
    const json_t *object;
    ny_status st = NY_OK;
    if (!json_object_get(record, "bound")) goto done;
    NY_TRY(ny_get_object(ctx, record, "bound", &object));
#define X(type, field) NY_TRY(ny_get_##type(ctx, object, #field, &b->field));
    NY_BOUND_LIST(X)
#undef X
    b->known = true;
done:
    return st;
}

static ny_status read_comparisons(ny_ctx *ctx, const json_t *record, ny_record *r) {
    const json_t *list;
    ny_status st = NY_OK;
    if (!json_object_get(record, "criteria")) goto done;
    NY_TRY(ny_get_list(ctx, record, "criteria", &list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *object = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(object, "name"));
        NY_CHECK(ctx, name, NY_ERR_MODEL, "a comparison names no criterion");
        ny_comparison c = {0};
#define X(field, text) NY_TRY(ny_get_maybe(ctx, object, text, &c.field));
        NY_COMPARISON_LIST(X)
#undef X
        NY_TRY(ny_record_comparison(ctx, r, name, c));
    }
done:
    return st;
}

static ny_status read_judged(ny_ctx *ctx, const json_t *record, ny_record *r) {
    const json_t *list;
    ny_status st = NY_OK;
    if (!json_object_get(record, "relevance")) goto done;
    NY_TRY(ny_get_list(ctx, record, "relevance", &list));
    NY_NEW(ctx, r->column, (int64_t)json_array_size(list));
    r->columns = (int64_t)json_array_size(list);
    for (int64_t i = 0; i < r->columns; i++) {
        const json_t *item = json_array_get(list, (size_t)i);
        NY_TRY(ny_get_text(ctx, item, "name", &r->column[i].name));
        NY_TRY(ny_get_real(ctx, item, "relevance", &r->column[i].relevance));
        NY_TRY(ny_get_flag(ctx, item, "kept", &r->column[i].kept));
    }
done:
    return st;
}

static ny_status read_solver(ny_ctx *ctx, const json_t *record, ny_solver *s) {
    const json_t *object;
    ny_status st = NY_OK;
    if (!json_object_get(record, "solver")) goto done;
    NY_TRY(ny_get_object(ctx, record, "solver", &object));
#define X(type, field) NY_TRY(ny_get_##type(ctx, object, #field, &s->field));
    NY_SOLVER_LIST(X)
#undef X
    s->known = true;
done:
    return st;
}

static ny_status read_descent(ny_ctx *ctx, const json_t *record, ny_descent *d) {
    const json_t *object;
    ny_status st = NY_OK;
    if (!json_object_get(record, "newton")) goto done;
    NY_TRY(ny_get_object(ctx, record, "newton", &object));
    NY_TRY(ny_get_whole(ctx, object, "steps", &d->steps));
    NY_TRY(ny_get_maybe(ctx, object, "gap", &d->gap));
    NY_TRY(ny_get_reals(ctx, object, "objective", &d->outputs, &d->objective));
    d->known = true;
done:
    return st;
}

static ny_status read_measures(ny_ctx *ctx, const json_t *record, ny_measures *m) {
    const json_t *object;
    ny_status st = NY_OK;
    if (!json_object_get(record, "loss")) goto done;
    NY_TRY(ny_get_object(ctx, record, "loss", &object));
#define X(type, field) NY_TRY(ny_get_##type(ctx, object, #field, &m->field));
    NY_MEASURES_LIST(X)
#undef X
    m->known = true;
done:
    return st;
}

ny_status ny_record_read(ny_ctx *ctx, const json_t *meta, ny_record *record) {
    const json_t *object, *list;
    char *note = NULL;
    ny_status st;
    NY_TRY(ny_get_object(ctx, meta, "record", &object));
#define X(type, field) NY_TRY(ny_get_##type(ctx, object, #field, &record->field));
    NY_RECORD_LIST(X)
    NY_COST_LIST(X)
#undef X
    if (json_object_get(object, "peak_bytes")) NY_TRY(ny_get_whole(ctx, object, "peak_bytes", &record->peak_bytes));
    NY_TRY(read_bound(ctx, object, &record->bound));
    NY_TRY(read_comparisons(ctx, object, record));
    NY_TRY(read_solver(ctx, object, &record->solver));
    NY_TRY(read_descent(ctx, object, &record->descent));
    NY_TRY(read_measures(ctx, object, &record->loss));
    NY_TRY(read_judged(ctx, object, record));
    NY_TRY(ny_get_list(ctx, object, "evaluations", &list));
    for (size_t i = 0; i < json_array_size(list); i++) NY_TRY(read_evaluation(ctx, json_array_get(list, i), record));
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
