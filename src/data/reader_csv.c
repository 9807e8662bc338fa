/* reader_csv.c: CSV to data. The first rows tell the delimiter, the header and the kind of each column; then every
 * record goes through once, numbers being parsed where they lie. A column that is not of categories must hold numbers
 * throughout: a text in it is an error with its position, since one-hot coding it would hide a typing mistake. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "csv.h"
#include "csv_sample.h"
#include "encode.h"
#include "frame.h"
#include "layout.h"
#include "reader.h"

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
        if (layout->field[f].role == NY_ROLE_NUMBER) {
            const char *q = ny_number_scan(p, end, &v);
            if (q && (q == end || *q == csv->delimiter) && fabs(v) <= NY_VALUE_LIMIT) {
                frame->row[layout->field[f].slot] = v;
                p = q < end ? q + 1 : NULL;
                continue;
            }
        }
        int64_t line = ny_csv_line(record, p);
        ny_csv_text text;
        NY_TRY(ny_csv_field(ctx, csv, record, f, &p, &text));
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

static ny_status read_records(ny_ctx *ctx, ny_csv *csv, bool header, ny_frame *frame) {
    ny_status st = NY_OK;
    ny_csv_record record;
    bool found;
    ny_csv_rewind(csv);
    if (header) NY_TRY(ny_csv_next(ctx, csv, &record, &found));
    for (;;) {
        NY_TRY(ny_csv_next(ctx, csv, &record, &found));
        if (!found) break;
        NY_TRY(ny_frame_begin(ctx, frame));
        NY_TRY(read_record(ctx, csv, &record, frame));
        ny_frame_end(frame);
    }
    NY_CHECK(ctx, frame->rows + frame->dropped > 0, NY_ERR_DATA, "%s has a header but no rows", csv->source->name);
done:
    return st;
}

/* What most likely is a file in a format we do not read. */
static ny_status check_sample(ny_ctx *ctx, const ny_csv_sample *sample, const char *name) {
    ny_status st = NY_OK;
    NY_CHECK(ctx, sample->fields > 1 || !strpbrk(sample->first[0], " \t"), NY_ERR_DATA,
             "%s:1: one column only; fields must be separated by commas, semicolons or tabs, not by blanks", name);
    NY_CHECK(ctx, sample->comma_line == 0 || !sample->text[sample->comma_field - 1], NY_ERR_DATA,
             "%s:%lld:%lld: a number with a decimal comma; numbers are written with a point", name,
             (long long)sample->comma_line, (long long)sample->comma_field);
done:
    return st;
}

/* Rows to expect by the size of the file, a little more than the first rows suggest: when the guess holds, the rows
 * are read straight to where they stay (ny_encode). */
static int64_t expect_rows(const ny_source *source, const ny_csv_sample *sample) {
    if (source->zip || source->total <= sample->bytes) return sample->rows + 1;
    return (int64_t)(1.05 * (double)source->total / (double)sample->bytes * (double)(sample->rows + 1)) + 16;
}

ny_status ny_read_csv(ny_ctx *ctx, ny_source *source, const ny_options *options, const ny_schema *like, ny_data *data) {
    ny_status st = NY_OK;
    ny_csv csv = {0};
    ny_csv_sample sample = {0};
    ny_layout layout = {0};
    ny_frame frame = {0};
    NY_TRY(ny_csv_open(ctx, source, &csv));
    NY_TRY(ny_csv_sample_take(ctx, &csv, options, like, &sample));
    if (!like) NY_TRY(check_sample(ctx, &sample, source->name));
    NY_TRY(ny_layout_init(ctx, source->name, sample.fields, sample.header ? sample.first : NULL, &layout));
    if (like) NY_TRY(ny_layout_apply(ctx, options, like, &layout));
    else NY_TRY(ny_layout_learn(ctx, options, sample.text, &layout));
    NY_TRY(ny_frame_init(ctx, &layout, options, like, &frame));
    frame.expected = expect_rows(source, &sample);
    NY_TRY(read_records(ctx, &csv, sample.header, &frame));
    NY_TRY(ny_encode(ctx, &frame, data));
done:
    ny_frame_clear(&frame);
    ny_layout_clear(&layout);
    ny_csv_sample_clear(&sample);
    ny_csv_close(&csv);
    return st;
}
