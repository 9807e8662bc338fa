/* target.c: numbers stay numbers, texts become labels; up to NY_LABELS_MAX distinct values are kept as labels either
 * way, because whether 1, 2, 3 are classes is decided later (ny_data_task). */
#include "target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "labels.h"

enum { FEW = 16 };

void ny_target_clear(ny_target *t) {
    ny_free(t->y);
    ny_free(t->code);
    ny_free(t->value);
    ny_free(t->count);
    ny_free(t->rank);
    ny_dict_clear(&t->dict);
    memset(t, 0, sizeof *t);
}

static ny_status check_value(ny_ctx *ctx, const char *text, int64_t length, double v) {
    char shown[NY_EXCERPT];
    if (fabs(v) <= NY_VALUE_LIMIT || isnan(v)) return NY_OK;
    return ny_error(ctx, NY_ERR_DATA, "target '%s' is too large: magnitudes may not exceed %g",
                    ny_excerpt(text, length, shown), NY_VALUE_LIMIT);
}

/* One distinct value too many to be a label: fine for numbers only. */
static ny_status turn_many(ny_ctx *ctx, ny_target *t) {
    ny_status st = NY_OK;
    for (int64_t k = 0; k < t->dict.count; k++)
        NY_CHECK(ctx, !isnan(t->value[k]), NY_ERR_DATA,
                 "the target has more than %d different values and some, as '%s', are not numbers: neither classes nor "
                 "regression; choose another column with --target",
                 NY_LABELS_MAX, ny_dict_text(&t->dict, k));
    t->many = true;
done:
    return st;
}

/* A value that comes for the first time is one of those that are known, or a number where numbers are. */
static ny_status check_known(ny_ctx *ctx, const ny_target *t, const char *key, int64_t length, double v) {
    ny_status st = NY_OK;
    char shown[NY_EXCERPT], number[NY_NUMBER_TEXT];
    const ny_known_targets *known = t->known;
    const char *text = number;
    if (t->binary) ny_number_format(v, number);
    else text = ny_excerpt(key, length, shown);
    NY_CHECK(ctx, known->labels || !isnan(v), NY_ERR_DATA, "the target '%s' is not a number, as those learnt from are",
             text);
    NY_CHECK(ctx, !known->labels || ny_label_find(known->labels, known->label, text) >= 0, NY_ERR_DATA,
             "the target '%s' is none of the %lld classes that are learnt", text, (long long)known->labels);
done:
    return st;
}

/* The key as one of the distinct values; v is its number or NaN. */
static ny_status add_label(ny_ctx *ctx, ny_target *t, const char *key, int64_t length, double v) {
    ny_status st = NY_OK;
    int64_t k = ny_dict_find(&t->dict, key, length);
    if (k < 0) {
        NY_CHECK(ctx, !t->fixed, NY_ERR_DATA, "a target value that was not there before: the file has changed");
        if (t->known) NY_TRY(check_known(ctx, t, key, length, v));
        if (t->dict.count == NY_LABELS_MAX) NY_TRY(turn_many(ctx, t));
        if (t->many) return st;
        NY_TRY(ny_dict_add(ctx, &t->dict, key, length, &k));
        NY_GROW(ctx, t->value, t->value_room, k + 1);
        NY_GROW(ctx, t->count, t->count_room, k + 1);
        t->value[k] = v;
        t->count[k] = 0;
    }
    NY_GROW(ctx, t->code, t->code_room, t->held + 1);
    t->code[t->held] = (int32_t)k;
done:
    return st;
}

ny_status ny_target_text(ny_ctx *ctx, ny_target *t, const char *text, int64_t length) {
    ny_status st = NY_OK;
    char shown[NY_EXCERPT];
    if (t->lost) return st;
    double v = NAN;
    int64_t k = t->many ? -1 : ny_dict_find(&t->dict, text, length);
    if (k >= 0) v = t->value[k];
    else if (!ny_number_parse(text, length, &v)) v = ny_number_infinite(text, length) ? INFINITY : NAN;
    NY_TRY(check_value(ctx, text, length, v));
    if (!t->many) NY_TRY(add_label(ctx, t, text, length, v));
    NY_CHECK(ctx, !t->many || !isnan(v), NY_ERR_DATA,
             "'%s' is not a number, but the target has more than %d different values before it; choose another column "
             "with --target",
             ny_excerpt(text, length, shown), NY_LABELS_MAX);
    NY_GROW(ctx, t->y, t->y_room, t->held + 1);
    t->y[t->held] = v;
done:
    return st;
}

/* The number of a value among a few. */
static int64_t find_value(const ny_target *t, double v) {
    int64_t k = t->dict.count <= FEW ? t->dict.count : 0;
    while (--k >= 0 && t->value[k] != v) continue;
    return k;
}

ny_status ny_target_number(ny_ctx *ctx, ny_target *t, double v) {
    ny_status st = NY_OK;
    char text[NY_NUMBER_TEXT];
    if (t->lost) return st;
    t->binary = true;
    if (v == 0) v = 0; /* -0 and 0 are one value */
    if (!(fabs(v) <= NY_VALUE_LIMIT)) NY_TRY(check_value(ctx, text, ny_number_format(v, text), v));
    int64_t k = t->many ? -1 : find_value(t, v);
    if (k < 0 && !t->many) NY_TRY(add_label(ctx, t, (const char *)&v, sizeof v, v));
    if (k >= 0) { /* without a hash */
        NY_GROW(ctx, t->code, t->code_room, t->held + 1);
        t->code[t->held] = (int32_t)k;
    }
    NY_GROW(ctx, t->y, t->y_room, t->held + 1);
    t->y[t->held] = v;
done:
    return st;
}

void ny_target_missing(ny_target *t, int64_t line, int64_t field) {
    if (t->missing++ == 0) {
        t->missing_line = line;
        t->missing_field = field;
    }
}

/* ---- from distinct values to labels ------------------------------------------------------------------------- */

typedef struct entry {
    double value;
    const char *text;
    int64_t number;
} entry;

/* Ties, the same number in two spellings, keep the order of the file: the first spelling wins. */
static int by_value(const void *a, const void *b) {
    const entry *p = a, *q = b;
    if (p->value != q->value) return p->value < q->value ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static int by_text(const void *a, const void *b) {
    return strcmp(((const entry *)a)->text, ((const entry *)b)->text);
}

/* The distinct values that rows (not dropped ones) really have, sorted. */
static ny_status sort_entries(ny_ctx *ctx, const ny_target *t, entry **sorted, int64_t *count, bool *numeric) {
    ny_status st = NY_OK;
    *count = 0;
    *numeric = true;
    NY_NEW(ctx, *sorted, t->dict.count + 1);
    for (int64_t k = 0; k < t->dict.count; k++) {
        if (t->count[k] == 0) continue;
        (*sorted)[(*count)++] = (entry){t->value[k], ny_dict_text(&t->dict, k), k};
        *numeric = *numeric && !isnan(t->value[k]);
    }
    qsort(*sorted, (size_t)*count, sizeof **sorted, *numeric ? by_value : by_text);
done:
    return st;
}

static char *label_text(ny_ctx *ctx, const ny_target *t, const entry *e) {
    char text[NY_NUMBER_TEXT];
    if (!t->binary) return ny_strdup(ctx, e->text);
    ny_number_format(e->value, text);
    return ny_strdup(ctx, text);
}

static ny_status make_labels(ny_ctx *ctx, ny_target *t, ny_data *data) {
    ny_status st = NY_OK;
    entry *sorted = NULL;
    int64_t count;
    NY_TRY(sort_entries(ctx, t, &sorted, &count, &t->numeric));
    ny_free(t->rank);
    NY_NEW(ctx, t->rank, t->dict.count + 1);
    NY_NEW(ctx, data->label, count + 1);
    NY_NEW(ctx, data->label_rows, count + 1);
    for (int64_t i = 0; i < count; i++) {
        bool again = t->numeric && i > 0 && sorted[i].value == sorted[i - 1].value;
        if (!again) {
            if (!(data->label[data->labels] = label_text(ctx, t, &sorted[i]))) {
                st = NY_ERR_MEMORY;
                goto done;
            }
            data->labels++;
        }
        t->rank[sorted[i].number] = (int32_t)(data->labels - 1);
        data->label_rows[data->labels - 1] += t->count[sorted[i].number];
    }
done:
    ny_free(sorted);
    return st;
}

ny_status ny_target_learn(ny_ctx *ctx, ny_target *t, bool needed, ny_data *data) {
    ny_status st = NY_OK;
    NY_CHECK(ctx, !(needed || t->known) || t->missing == 0, NY_ERR_DATA,
             "%s:%lld:%lld: the target is missing here and in %lld rows in all; --missing drop leaves them out",
             data->source, (long long)t->missing_line, (long long)t->missing_field, (long long)t->missing);
    if (!ny_target_usable(t) || t->rows == 0) return st;
    t->numeric = true;
    if (!t->many) NY_TRY(make_labels(ctx, t, data));
    data->has_target = true;
    data->numeric_target = t->numeric;
done:
    return st;
}

void ny_target_warn(ny_ctx *ctx, const ny_target *t, const char *source) {
    if (t->missing > 0)
        ny_log(ctx, NY_LOG_WARNING, "%s:%lld:%lld: the target is missing (%lld rows in all): read without a target",
               source, (long long)t->missing_line, (long long)t->missing_field, (long long)t->missing);
}

void ny_target_take(ny_target *t, ny_data *data) {
    data->has_target = t->rows > 0 && ny_target_usable(t);
    data->numeric_target = data->has_target && t->numeric;
    if (data->has_target && t->held > 0) {
        for (int64_t i = 0; i < t->held && !t->many; i++) {
            t->code[i] = t->rank[t->code[i]];
            if (!t->numeric) t->y[i] = t->code[i];
        }
        data->y = t->y;
        t->y = NULL;
        t->y_room = 0;
        if (!t->many) {
            data->code = t->code;
            t->code = NULL;
            t->code_room = 0;
        }
    }
    t->held = 0;
}

void ny_target_restart(ny_target *t) {
    t->rows = t->held = t->missing = 0;
    t->fixed = true;
}
