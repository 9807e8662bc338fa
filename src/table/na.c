/* na.c: see na.h. */
#include "na.h"

#include <string.h>

#include "base/number.h"

/* The next word of the list at *p; false after the last. */
static bool next_word(const char **p, const char **word, int64_t *length) {
    while (**p == ',') ++*p;
    if (!**p) return false;
    *word = *p;
    *p = strchrnul(*p, ',');
    *length = *p - *word;
    return true;
}

ny_status ny_na_init(ny_ctx *ctx, const char *option, const char *model, ny_na *na) {
    const char *word, *p;
    int64_t length;
    double v;
    *na = (ny_na){0};
    if (!option) option = "";
    if (!model || strcmp(model, option) == 0) model = "";
    if (!*option && !*model) return NY_OK;
    if (!(na->words = ny_format(ctx, "%s%s%s", option, *option && *model ? "," : "", model))) return NY_ERR_MEMORY;
    for (p = na->words; next_word(&p, &word, &length);) na->numbers = na->numbers || ny_number_parse(word, length, &v);
    return NY_OK;
}

void ny_na_clear(ny_na *na) {
    ny_free(na->words);
    *na = (ny_na){0};
}

bool ny_na_number(const ny_na *na, double value) {
    const char *word, *p = na->words;
    int64_t length;
    double v;
    while (na->numbers && next_word(&p, &word, &length))
        if (ny_number_parse(word, length, &v) && v == value) return true;
    return false;
}

bool ny_na_text(const ny_na *na, const char *text, int64_t length) {
    const char *word, *p = na->words;
    int64_t word_length;
    double v;
    if (ny_text_missing(text, length)) return true;
    while (p && next_word(&p, &word, &word_length))
        if (word_length == length && memcmp(word, text, (size_t)length) == 0) return true;
    return na->numbers && ny_number_parse(text, length, &v) && ny_na_number(na, v);
}
