/* csv_sample.h: what the first rows of a CSV file, or all of them, tell: is there a header, and what each column holds.
 */
#ifndef NY_CSV_SAMPLE_H
#define NY_CSV_SAMPLE_H

#include "csv.h"
#include "table/data.h"
#include "table/form.h"
#include "table/na.h"

enum { NY_SAMPLE_ROWS = 1000, NY_SAMPLE_BYTES = 4 << 20 };

typedef struct ny_csv_sample {
    int64_t fields;       /* of the first record */
    char **first;         /* fields: the texts of the first record */
    int64_t first_line;   /* where that begins */
    int64_t rows;         /* records behind the first that were looked at */
    int64_t bytes;        /* of all of them with the first; 0 when all rows were wanted */
    bool all;             /* no record follows them */
    ny_form_count *count; /* fields: what they hold; missing values count nowhere */
    bool *again;          /* fields: the first record's text occurs again in the same column */
    bool header;          /* the first record names the columns */
    ny_kind *kind;        /* fields: what the columns are taken to hold */
} ny_csv_sample;

/* Reads up to NY_SAMPLE_ROWS records of a pinned file; or, when `all`, every record, and forgets them: the source must
 * then be rewound. */
ny_status ny_csv_sample_take(ny_ctx *ctx, ny_csv *csv, const ny_options *options, const ny_na *na,
                             const ny_schema *like, bool all, ny_csv_sample *sample);
/* Whether rows that were not looked at may tell otherwise what a column holds, although those that were all fit. */
bool ny_csv_sample_unsure(const ny_csv_sample *sample);
/* Frees what the sample holds and zeroes the struct. */
void ny_csv_sample_clear(ny_csv_sample *sample);

#endif
