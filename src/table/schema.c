/* schema.c: copying and freeing schemas. */
#include <string.h>

#include "data.h"

static void clear_column(ny_column *column) {
    for (int64_t k = 0; column->level && k < column->levels; k++) ny_free(column->level[k]);
    ny_free(column->level);
    ny_free(column->name);
}

void ny_schema_clear(ny_schema *s) {
    for (int64_t c = 0; s->column && c < s->columns; c++) clear_column(&s->column[c]);
    ny_free(s->column);
    for (int64_t k = 0; s->left && k < s->left_out; k++) ny_free(s->left[k].name);
    ny_free(s->left);
    ny_free(s->target);
    ny_free(s->weight);
    ny_free(s->na);
    memset(s, 0, sizeof *s);
}

static ny_status copy_column(ny_ctx *ctx, const ny_column *from, ny_column *to) {
    ny_status st = NY_OK;
    to->form = from->form;
    to->mean = from->mean;
    to->position = from->position;
    to->input = from->input;
    if (!(to->name = ny_strdup(ctx, from->name ? from->name : ""))) return NY_ERR_MEMORY;
    if (from->levels == 0) return st;
    NY_NEW(ctx, to->level, from->levels);
    for (; to->levels < from->levels; to->levels++)
        if (!(to->level[to->levels] = ny_strdup(ctx, from->level[to->levels]))) return NY_ERR_MEMORY;
done:
    return st;
}

ny_status ny_schema_copy(ny_ctx *ctx, const ny_schema *from, ny_schema *to) {
    ny_status st = NY_OK;
    memset(to, 0, sizeof *to);
    to->inputs = from->inputs;
    to->sparse = from->sparse;
    to->named = from->named;
    to->all_columns = from->all_columns;
    to->all_inputs = from->all_inputs;
    to->target_form = from->target_form;
    to->na = ny_strdup(ctx, from->na ? from->na : "");
    to->target = ny_strdup(ctx, from->target ? from->target : "");
    to->weight = ny_strdup(ctx, from->weight ? from->weight : "");
    if (!to->target || !to->weight || !to->na) {
        st = NY_ERR_MEMORY;
        goto done;
    }
    for (int64_t k = 0; k < from->left_out; k++)
        NY_TRY(ny_schema_leave_out(ctx, to, from->left[k].name, from->left[k].asked));
    if (from->columns > 0) NY_NEW(ctx, to->column, from->columns);
    for (; to->columns < from->columns; to->columns++) {
        st = copy_column(ctx, &from->column[to->columns], &to->column[to->columns]);
        if (st != NY_OK) {
            to->columns++; /* the half-made one is freed too */
            goto done;
        }
    }
done:
    if (st != NY_OK) ny_schema_clear(to);
    return st;
}

ny_status ny_schema_leave_out(ny_ctx *ctx, ny_schema *s, const char *name, bool asked) {
    ny_status st = NY_OK;
    ny_left_out *more = ny_realloc(ctx, s->left, s->left_out, s->left_out + 1, sizeof *more);
    if (!more) return NY_ERR_MEMORY;
    s->left = more;
    s->left[s->left_out] = (ny_left_out){ny_strdup(ctx, name), asked};
    if (!s->left[s->left_out].name) st = NY_ERR_MEMORY;
    else s->left_out++;
    return st;
}

void ny_schema_keep(ny_schema *s, const bool *kept) {
    int64_t count = 0, input = 0;
    bool placed = s->all_columns > 0; /* some columns of the file were left out: positions count these too */
    if (!placed) s->all_columns = s->columns;
    s->all_inputs = s->inputs;
    for (int64_t c = 0; c < s->columns; c++) {
        ny_column *column = &s->column[c];
        int64_t inputs = column->levels ? column->levels : 1;
        if (!placed) column->position = c;
        column->input = input;
        input += inputs;
        if (kept[c]) {
            s->column[count++] = *column;
        } else {
            s->inputs -= inputs;
            clear_column(column);
        }
    }
    s->columns = count;
}
