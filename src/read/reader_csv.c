/* reader_csv.c: CSV to data. The first rows tell the delimiter, the header and what each column holds; then every
 * record goes through once, plain numbers being parsed where they lie. Where a later row does not fit what the first
 * ones told, or they left a doubt, all rows are asked (once, if the file can be read again) and the reading begins
 * again: so the answer is that of the whole file, and files without surprises are read once. A column that is not of
 * categories must then hold numbers throughout: a text in it is an error with its position, since one-hot coding it
 * would hide a typing mistake. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "csv.h"
#include "csv_sample.h"
#include "reader.h"

typedef struct csv_state {
    ny_csv csv;
    bool header;
    bool all_asked;            /* every row has told what the columns hold */
    bool told;                 /* that texts were converted */
    const ny_options *options; /* while learning; not owned */
    double rows;               /* to expect by the size of the file and the first rows; 0 when it is unknown */
} csv_state;

/* Fails unless the record has the expected number of fields; p is the field after the first `fields`. */
static ny_status check_count(ny_ctx *ctx, ny_csv *csv, const ny_csv_record *record, const char *p, int64_t fields,
                             int64_t expected) {
    ny_status st = NY_OK;
    for (; p; fields++) {
        ny_csv_text ignored;
        NY_TRY(ny_csv_field(ctx, csv, record, fields, &p, &ignored));
    }
    if (fields == expected) return st;
    st = ny_error(ctx, NY_ERR_DATA, "%s:%lld: %lld fields, expected %lld as in the first line", csv->source->name,
                  (long long)record->line, (long long)fields, (long long)expected);
done:
    return st;
}

static ny_status read_record(ny_ctx *ctx, ny_csv *csv, const ny_csv_record *record, ny_frame *frame) {
    ny_status st = NY_OK;
    const ny_layout *layout = frame->layout;
    const char *p = record->begin, *end = record->end;
    int64_t f = 0;
    for (; p && f < layout->fields; f++) {
        double v;
        if (layout->field[f].role == NY_ROLE_NUMBER && f != layout->id) {
            const char *q = ny_number_scan(p, end, &v);
            if (q && (q == end || *q == csv->delimiter) && fabs(v) <= NY_VALUE_LIMIT) {
                frame->row.x[layout->field[f].slot] = v;
                p = q < end ? q + 1 : NULL;
                continue;
            }
        }
        int64_t line = ny_csv_line(record, p);
        ny_csv_text text;
        NY_TRY(ny_csv_field(ctx, csv, record, f, &p, &text));
        if (f == layout->id) NY_TRY(ny_frame_id(ctx, frame, text.at, text.length));
        st = ny_frame_text(ctx, frame, line, f, text.at, text.length);
        if (st == NY_ERR_DATA) { /* a field too few or too many shifts the others: then that is the mistake to tell */
            char message[NY_MESSAGE_MAX];
            memcpy(message, ctx->message, sizeof message);
            NY_TRY(check_count(ctx, csv, record, p, f + 1, layout->fields));
            st = ny_error(ctx, NY_ERR_DATA, "%s", message);
        }
        if (st != NY_OK) goto done;
    }
    if (p || f < layout->fields) NY_TRY(check_count(ctx, csv, record, p, f, layout->fields));
done:
    return st;
}

/* Numbers and dates that can be read in two ways. */
static ny_status check_forms(ny_ctx *ctx, const ny_reader *r, const ny_csv_sample *sample) {
    ny_status st = NY_OK;
    const char *name = r->source->name;
    for (int64_t f = 0; f < sample->fields; f++) {
        ny_role role = r->layout.field[f].role;
        bool used = role != NY_ROLE_IGNORE && role != NY_ROLE_CATEGORY;
        if (used && sample->kind[f].ambiguous)
            NY_TRY(ny_form_refuse(ctx, name, f, ny_layout_name(&r->layout, f), &sample->count[f]));
    }
done:
    return st;
}

/* Rows by the size of the file and the first rows. Of a gzipped file the size is a guess: a tenth of the text. */
static double guess_rows(const ny_source *source, const ny_csv_sample *sample) {
    double total = (source->zip ? 10.0 : 1.0) * (double)source->total;
    if (sample->all) return (double)sample->rows + 1;
    if (total <= (double)sample->bytes) return (double)sample->rows + 1;
    return total / (double)sample->bytes * ((double)sample->rows + 1);
}

/* To the first row. What lies before is forgotten from now on. */
static ny_status skip_header(ny_ctx *ctx, csv_state *s) {
    ny_csv_record record;
    bool found;
    ny_csv_rewind(&s->csv);
    return s->header ? ny_csv_next(ctx, &s->csv, &record, &found) : NY_OK;
}

/* What the sample tells becomes the layout and an empty frame. */
static ny_status lay_out(ny_ctx *ctx, ny_reader *r, const ny_csv_sample *sample) {
    ny_status st = NY_OK;
    csv_state *s = r->state;
    s->header = sample->header;
    s->rows = guess_rows(r->source, sample);
    s->all_asked = sample->all;
    NY_CHECK(ctx, r->like || sample->fields > 1 || !strpbrk(sample->first[0], " \t"), NY_ERR_DATA,
             "%s:1: one column only; fields must be separated by commas, semicolons or tabs, not by blanks",
             r->source->name);
    NY_TRY(ny_layout_init(ctx, r->source->name, sample->fields, sample->header ? sample->first : NULL, &r->layout));
    NY_TRY(ny_reader_frame_init(ctx, r, s->options, sample->kind));
    if (r->like && r->layout.weight >= 0) r->layout.field[r->layout.weight].form = sample->kind[r->layout.weight].form;
    if (!r->like) NY_TRY(check_forms(ctx, r, sample));
    /* A little more than guessed: when that holds, the rows are read straight to where they stay (ny_encode_take). */
    r->expected = r->source->zip && !sample->all ? sample->rows + 1 : (int64_t)(1.05 * s->rows) + 16;
done:
    return st;
}

/* The source is at its beginning. */
static ny_status reopen(ny_ctx *ctx, ny_reader *r) {
    csv_state *s = r->state;
    char delimiter = s->csv.delimiter;
    int64_t converted = s->csv.converted_line;
    ny_csv_close(&s->csv);
    ny_status st = ny_csv_open(ctx, r->source, &s->csv);
    s->csv.delimiter = delimiter;
    s->csv.converted_line = converted;
    return st;
}

/* Asks every row what the columns hold, and goes back to the first. */
static ny_status ask_all(ny_ctx *ctx, ny_reader *r) {
    ny_status st = NY_OK;
    csv_state *s = r->state;
    ny_csv_sample sample = {0};
    NY_TRY(ny_source_rewind(ctx, r->source));
    NY_TRY(reopen(ctx, r));
    NY_TRY(ny_csv_sample_take(ctx, &s->csv, s->options, &r->na, r->like, true, &sample));
    ny_frame_clear(&r->frame);
    ny_layout_clear(&r->layout);
    NY_TRY(lay_out(ctx, r, &sample));
    NY_TRY(ny_source_rewind(ctx, r->source));
    NY_TRY(reopen(ctx, r));
    NY_TRY(skip_header(ctx, s));
done:
    ny_csv_sample_clear(&sample);
    return st;
}

/* Whether asking all rows is possible, and could change what was learnt. */
static bool can_ask(const ny_reader *r) {
    const csv_state *s = r->state;
    return !r->like && !r->frame.learnt && !s->all_asked && r->source->rewindable;
}

static ny_status open_csv(ny_ctx *ctx, ny_reader *r, const ny_options *options) {
    ny_status st = NY_OK;
    csv_state *s = r->state;
    ny_csv_sample sample = {0};
    s->options = options;
    NY_TRY(ny_csv_open(ctx, r->source, &s->csv));
    NY_TRY(ny_csv_sample_take(ctx, &s->csv, options, &r->na, r->like, false, &sample));
    if (ny_csv_sample_unsure(&sample) && can_ask(r)) {
        NY_TRY(ask_all(ctx, r));
    } else {
        NY_TRY(lay_out(ctx, r, &sample));
        NY_TRY(skip_header(ctx, s));
    }
done:
    ny_csv_sample_clear(&sample);
    return st;
}

static ny_status restart_csv(ny_ctx *ctx, ny_reader *r) {
    ny_status st = NY_OK;
    csv_state *s = r->state;
    s->options = NULL;
    NY_TRY(reopen(ctx, r));
    ny_frame_restart(&r->frame);
    NY_TRY(skip_header(ctx, s));
done:
    return st;
}

static ny_status read_rows(ny_ctx *ctx, ny_reader *r, int64_t max_rows) {
    ny_status st = NY_OK;
    csv_state *s = r->state;
    ny_frame *frame = &r->frame;
    ny_csv_record record;
    bool found;
    frame->expected = r->expected < max_rows ? r->expected : max_rows;
    while (frame->count.held < max_rows) {
        NY_TRY(ny_csv_next(ctx, &s->csv, &record, &found));
        r->ended = !found;
        if (!found) break;
        NY_TRY(ny_frame_begin(ctx, frame));
        NY_TRY(read_record(ctx, &s->csv, &record, frame));
        NY_TRY(ny_frame_end(ctx, frame));
    }
done:
    return st;
}

static ny_status next_csv(ny_ctx *ctx, ny_reader *r, int64_t max_rows) {
    csv_state *s = r->state;
    ny_status st = read_rows(ctx, r, max_rows);
    bool odd = r->ended && ny_frame_odd(&r->frame);
    if (st != NY_OK) odd = st == NY_ERR_DATA && r->frame.misfit;
    if (odd && can_ask(r)) {
        r->ended = false;
        NY_TRY(ask_all(ctx, r));
        st = read_rows(ctx, r, max_rows);
    }
    if (st != NY_OK) goto done;
    NY_CHECK(ctx, r->frame.count.rows + r->frame.count.dropped > 0 || !r->ended, NY_ERR_DATA,
             "%s has a header but no rows", r->source->name);
    if (r->ended && s->csv.converted_line > 0 && !s->told) {
        ny_log(ctx, NY_LOG_INFO, "%s:%lld: this text is not UTF-8: such texts are taken as Windows-1252",
               r->source->name, (long long)s->csv.converted_line);
        s->told = true;
    }
    ny_reader_frame_count(r);
done:
    return st;
}

static void close_csv(ny_reader *r) {
    csv_state *s = r->state;
    ny_csv_close(&s->csv);
}

static double bytes_csv(const ny_reader *r) {
    const csv_state *s = r->state;
    return r->source->total > 0 ? s->rows * (double)(r->layout.slots + 2) * sizeof(double) : 0;
}

const ny_file_format ny_format_csv = {
    .state = sizeof(csv_state),
    .open = open_csv,
    .restart = restart_csv,
    .next = next_csv,
    .check = ny_reader_frame_check,
    .learn = ny_reader_frame_learn,
    .take = ny_reader_frame_take,
    .recycle = ny_reader_frame_recycle,
    .close = close_csv,
    .bytes = bytes_csv,
};
