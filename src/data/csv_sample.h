/* csv_sample.h: what the first rows of a CSV file tell: is there a header, and which columns hold texts. */
#ifndef NY_CSV_SAMPLE_H
#define NY_CSV_SAMPLE_H

#include "csv.h"
#include "data.h"

enum { NY_SAMPLE_ROWS = 1000, NY_SAMPLE_BYTES = 4 << 20 };

typedef struct ny_csv_sample {
    int64_t fields;                  /* of the first record */
    char **first;                    /* fields: the texts of the first record */
    int64_t rows;                    /* records behind the first that were looked at */
    int64_t bytes;                   /* of all of them with the first */
    int64_t *numbers;                /* fields: how many of them hold a number there */
    int64_t *texts;                  /* fields: how many hold something else; missing values count nowhere */
    bool *again;                     /* fields: the first record's text occurs again in the same column */
    bool header;                     /* the first record names the columns */
    bool *text;                      /* fields: the column holds texts: most of its values are not numbers */
    int64_t comma_line, comma_field; /* the first number with a decimal comma; 0 when there is none */
} ny_csv_sample;

/* Reads up to NY_SAMPLE_ROWS records of a pinned file. */
ny_status ny_csv_sample_take(ny_ctx *ctx, ny_csv *csv, const ny_options *options, const ny_schema *like,
                             ny_csv_sample *sample);
void ny_csv_sample_clear(ny_csv_sample *sample);

#endif
