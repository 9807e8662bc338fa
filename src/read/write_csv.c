/* write_csv.c: data back to CSV: inputs, then the weight, then the target, so that reading the file again gives the
 * same data. One-hot inputs are written as the categories they came from. */
#include <string.h>

#include "base/number.h"
#include "table/data.h"

/* Quotes what a reader could mistake for something else. */
static void put_text(FILE *file, const char *text) {
    size_t length = strlen(text);
    bool blanks = length == 0 || text[0] == ' ' || text[length - 1] == ' ';
    if (!blanks && !strpbrk(text, ",;\t\"\r\n")) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"') putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

static void put_number(FILE *file, double v) {
    char text[NY_NUMBER_TEXT];
    ny_number_format(v, text);
    fputs(text, file);
}

static void put_header(FILE *file, const ny_data *data) {
    const ny_schema *schema = &data->schema;
    int64_t columns = schema->columns > 0 ? schema->columns : data->X.d;
    for (int64_t c = 0; c < columns; c++) {
        if (c > 0) putc(',', file);
        if (schema->columns > 0) put_text(file, schema->column[c].name);
        else fprintf(file, "x%lld", (long long)c + 1);
    }
    if (data->weight) {
        putc(',', file);
        put_text(file, schema->weight && *schema->weight ? schema->weight : "weight");
    }
    if (data->has_target) {
        putc(',', file);
        put_text(file, schema->target && *schema->target ? schema->target : "target");
    }
    putc('\n', file);
}

/* One row of inputs; x has all d of them. */
static void put_inputs(FILE *file, const ny_data *data, const double *x) {
    const ny_schema *schema = &data->schema;
    if (schema->columns == 0)
        for (int64_t k = 0; k < data->X.d; k++) {
            if (k > 0) putc(',', file);
            put_number(file, x[k]);
        }
    for (int64_t c = 0; c < schema->columns; c++) {
        const ny_column *column = &schema->column[c];
        if (c > 0) putc(',', file);
        if (column->levels == 0) put_number(file, *x++);
        for (int64_t k = 0; k < column->levels; k++)
            if (*x++ != 0) put_text(file, column->level[k]); /* none is set where the category is missing */
    }
}

static void put_row(FILE *file, const ny_data *data, int64_t i, double *scratch) {
    const ny_matrix *X = &data->X;
    const double *x = X->x ? X->x + i * X->d : scratch;
    if (!X->x) {
        memset(scratch, 0, (size_t)X->d * sizeof *scratch);
        for (int64_t k = X->ptr[i]; k < X->ptr[i + 1]; k++) scratch[X->idx[k]] = X->val[k];
    }
    put_inputs(file, data, x);
    if (data->weight) {
        putc(',', file);
        put_number(file, data->weight[i]);
    }
    if (data->has_target) {
        putc(',', file);
        if (data->labels > 0) put_text(file, data->label[data->code[i]]);
        else put_number(file, data->y[i]);
    }
    putc('\n', file);
}

ny_status ny_data_write_csv(ny_ctx *ctx, const ny_data *data, const char *path) {
    ny_status st = NY_OK;
    ny_outfile *out = NULL;
    double *scratch = NULL;
    NY_NEEDS(ctx, ctx && data && path, "a context, data and a path");
    NY_TRY(ny_data_in_memory(ctx, data, "writing a CSV"));
    NY_NEW(ctx, scratch, data->X.d > 0 ? data->X.d : 1);
    NY_TRY(ny_outfile_open(ctx, path, &out));
    FILE *file = ny_outfile_stream(out);
    put_header(file, data);
    for (int64_t i = 0; i < data->X.n && !ferror(file); i++) put_row(file, data, i, scratch);
    NY_TRY(ny_outfile_commit(ctx, &out));
done:
    ny_outfile_abort(out);
    ny_free(scratch);
    return st;
}
