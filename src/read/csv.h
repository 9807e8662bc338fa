/* csv.h: cutting a CSV file into records and fields (RFC 4180), in place. */
#ifndef NY_CSV_H
#define NY_CSV_H

#include "source.h"

typedef struct ny_csv {
    ny_source *source;
    char delimiter;
    bool pinned;      /* what has been read is kept, so that ny_csv_rewind can go back to it */
    int64_t cursor;   /* of the next record, from source->at */
    int64_t line;     /* physical line of the next record, from 1 */
    int64_t pin_line; /* line of source->at */
    char *scratch;    /* a quoted field without its doubled quotes */
    int64_t scratch_room;
    char *utf8; /* a field that was Windows-1252 */
    int64_t utf8_room;
    int64_t converted_line; /* the first such field's; 0: there was none */
} ny_csv;

typedef struct ny_csv_record {
    const char *begin, *end; /* without the line end; valid until the next record is asked for */
    int64_t line;            /* where it begins */
    int64_t lines;           /* how many physical lines it has */
} ny_csv_record;

typedef struct ny_csv_text {
    const char *at; /* UTF-8; blanks around it are cut off; valid until the next field is */
    int64_t length;
} ny_csv_text;

/* Skips a byte order mark, and pins the beginning. The delimiter is what a first line like sep=; says; else it is
 * guessed from the first records (comma, semicolon or tab: the one that occurs equally often in each of them; of
 * several such the one that leaves most fields numbers, then the most frequent). */
ny_status ny_csv_open(ny_ctx *ctx, ny_source *source, ny_csv *csv);
/* Frees the scratch; the source stays open. */
void ny_csv_close(ny_csv *csv);
/* Back to the first record; from here on records are forgotten when the next is read. */
void ny_csv_rewind(ny_csv *csv);

/* The next record that is not blank; *found is false at the end. */
ny_status ny_csv_next(ny_ctx *ctx, ny_csv *csv, ny_csv_record *record, bool *found);

/* The physical line of a byte of the record. */
int64_t ny_csv_line(const ny_csv_record *record, const char *p);

/* Cuts off the field that begins at *p, as number `field` from 0; *p moves to the next one, or is NULL after the
 * last. */
ny_status ny_csv_field(ny_ctx *ctx, ny_csv *csv, const ny_csv_record *record, int64_t field, const char **p,
                       ny_csv_text *text);

#endif
