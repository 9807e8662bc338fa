/* format_json.c: predictions as one JSON object with a list for each column. The lists wait in files of their own until
 * all rows are known, so that memory does not grow with them. */
#include <math.h>

#include "numbers.h"
#include "predictions.h"

typedef struct {
    FILE *part[CLI_COLUMNS]; /* the lists so far; NULL: not wanted */
    bool begun;              /* they have rows */
} json_state;

static void put(FILE *out, const cli_column *c, const cli_predictions *p, int64_t i, int64_t k) {
    const char *text = c->text ? c->text(p, i) : NULL;
    text ? cli_put_json(out, text) : cli_put_json_number(out, c->number(p, i, k));
}

/* Row i of a column whose list is not empty any more. */
static void put_row(FILE *out, const cli_column *c, const cli_predictions *p, int64_t i, bool first) {
    if (!first) fputs(c->nested ? "," : ", ", out);
    if (c->nested) fputs("\n    [", out);
    for (int64_t k = 0, width = c->width(p); k < width; k++) {
        if (k > 0) fputs(", ", out);
        put(out, c, p, i, k);
    }
    if (c->nested) fputc(']', out);
}

static bool no_temporary_file(void) {
    cli_error("cannot write a temporary file for --json");
    return false;
}

static bool block(void *state, cli_job *job, const cli_predictions *p) {
    (void)job;
    json_state *s = state;
    for (int k = 0; k < CLI_COLUMNS; k++) {
        const cli_column *c = &cli_columns[k];
        if (c->width(p) == 0) continue;
        if (!s->part[k] && !(s->part[k] = tmpfile())) return no_temporary_file();
        for (int64_t i = 0; i < p->n; i++) put_row(s->part[k], c, p, i, i == 0 && !s->begun);
    }
    s->begun |= p->n > 0;
    return true;
}

/* Appends what has been put aside. */
static bool append(FILE *out, FILE *part) {
    char buffer[1 << 16];
    size_t count;
    if (fflush(part) != 0 || ferror(part)) return false;
    rewind(part);
    while ((count = fread(buffer, 1, sizeof buffer, part)) > 0) fwrite(buffer, 1, count, out);
    return !ferror(part);
}

/* Of each column that has some outside the training range: name, or number where it has none, and rows. */
static void put_outside(FILE *out, const ny_model *model, const int64_t *by_column) {
    const char *comma = "";
    for (int64_t c = 0; c < ny_model_columns(model); c++) {
        if (by_column[c] == 0) continue;
        char number[32];
        snprintf(number, sizeof number, "%lld", (long long)c + 1);
        fprintf(out, "%s{\"name\": ", comma);
        cli_put_json(out, ny_model_column(model, c) ? ny_model_column(model, c) : number);
        fprintf(out, ", \"rows\": %lld}", (long long)by_column[c]);
        comma = ", ";
    }
}

static bool put_all(FILE *out, const json_state *s, const cli_job *job, const ny_model *model,
                    const cli_rows_told *told) {
    bool ok = true;
    fputs("{\n  \"version\": ", out);
    cli_put_json(out, ny_version());
    fputs(",\n  \"command\": \"predict\",\n  \"model\": ", out);
    cli_put_json(out, job->operand[0]);
    fputs(",\n  \"data\": ", out);
    cli_put_json(out, job->operand[1]);
    fprintf(out, ",\n  \"rows\": %lld,\n  \"classes\": [", (long long)told->rows);
    for (int64_t k = 0; k < ny_model_classes(model); k++) {
        fputs(k > 0 ? ", " : "", out);
        cli_put_json(out, ny_model_label(model, k));
    }
    for (int64_t j = 0; !isnan(ny_model_quantile(model, j)); j++) {
        fputs(j > 0 ? ", " : "],\n  \"quantiles\": [", out);
        cli_put_json_number(out, ny_model_quantile(model, j));
    }
    fprintf(out, "],\n  \"outside_rows\": %lld,\n  \"outside_columns\": [", (long long)told->outside);
    put_outside(out, model, told->by_column);
    fputc(']', out);
    for (int k = 0; k < CLI_COLUMNS && ok; k++) {
        if (!s->part[k]) continue;
        fprintf(out, ",\n  \"%s\": [", cli_columns[k].name);
        ok = append(out, s->part[k]);
        fputs(cli_columns[k].nested ? "\n  ]" : "]", out);
    }
    fputs("\n}\n", out);
    return ok;
}

static bool end(void *state, cli_job *job, const ny_model *model, const cli_rows_told *told) {
    ny_outfile *out;
    if (!cli_output_open(job, cli_text(job, "json"), &out)) return false;
    if (put_all(ny_outfile_stream(out), state, job, model, told)) return cli_output_close(job, &out);
    ny_outfile_abort(out);
    return no_temporary_file();
}

static void end_anyway(void *state) {
    json_state *s = state;
    for (int k = 0; k < CLI_COLUMNS; k++)
        if (s->part[k]) fclose(s->part[k]);
}

const cli_format cli_format_json = {{"json", "FILE|-", "", "train predict test demo info path", "files",
                                     "write the full record of the run as JSON; - is standard output"},
                                    sizeof(json_state),
                                    block,
                                    end,
                                    end_anyway};
