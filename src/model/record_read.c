/* record_read.c: the record of meta.json: what was chosen, tried and measured. Parts that older versions do not write
 * may be missing. */
#include "json_get.h"
#include "model_meta.h"
#include "record_members.h"

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
    NY_TRY(ny_members_read(ctx, object, ny_cost_members, record));
    NY_TRY(read_part(ctx, object, "bound", ny_bound_members, &record->bound, &record->bound.known));
    NY_TRY(read_part(ctx, object, "solver", ny_solver_members, &record->solver, &record->solver.known));
    NY_TRY(read_newton(ctx, object, &record->descent));
    NY_TRY(read_part(ctx, object, "loss", ny_measures_members, &record->loss, &record->loss.known));
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
