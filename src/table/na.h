/* na.h: what stands for a missing value: the usual words, and those of --na. */
#ifndef NY_NA_H
#define NY_NA_H

#include "base/ctx.h"

typedef struct ny_na { /* all zero: the usual words only */
    char *words;       /* as --na has them, parted by commas; or NULL */
    bool numbers;      /* some of them are numbers, as -999: they mean every number of that value */
} ny_na;

/* The words of the option, and those that the model was trained with (each may be NULL). */
ny_status ny_na_init(ny_ctx *ctx, const char *option, const char *model, ny_na *na);
/* Frees the words and zeroes the struct. */
void ny_na_clear(ny_na *na);

/* Whether a field's text, or its number, stands for a missing value. */
bool ny_na_text(const ny_na *na, const char *text, int64_t length);
bool ny_na_number(const ny_na *na, double value); /* NaN is for the caller to know */

#endif
