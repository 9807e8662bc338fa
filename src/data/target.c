/* target.c: numbers stay numbers, texts become labels; up to NY_LABELS_MAX distinct values are kept as labels either
 * way, because whether 1, 2, 3 are classes is decided later (ny_data_task). */
#include "target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "grow.h"

void ny_target_clear(ny_target *t) {
    ny_free(t->y);
    ny_free(t->code);
    ny_free(t->value);
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

/* The key as one of the distinct values; v is its number or NaN. */
static ny_status add_label(ny_ctx *ctx, ny_target *t, const char *key, int64_t length, double v) {
    ny_status st = NY_OK;
    int64_t k = ny_dict_find(&t->dict, key, length);
    if (k < 0) {
        if (t->dict.count == NY_LABELS_MAX) NY_TRY(turn_many(ctx, t));
        if (t->many) return st;
        NY_TRY(ny_dict_add(ctx, &t->dict, key, length, &k));
        NY_GROW(ctx, t->value, t->value_room, k + 1);
        t->value[k] = v;
    }
    NY_GROW(ctx, t->code, t->code_room, t->rows + 1);
    t->code[t->rows] = (int32_t)k;
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
    NY_GROW(ctx, t->y, t->y_room, t->rows + 1);
    t->y[t->rows] = v;
done:
    return st;
}

ny_status ny_target_number(ny_ctx *ctx, ny_target *t, double v) {
    ny_status st = NY_OK;
    char text[NY_NUMBER_TEXT];
    if (t->lost) return st;
    t->binary = true;
    if (v == 0) v = 0; /* -0 and 0 are one value */
    if (!(fabs(v) <= NY_VALUE_LIMIT)) NY_TRY(check_value(ctx, text, ny_number_format(v, text), v));
    if (!t->many) NY_TRY(add_label(ctx, t, (const char *)&v, sizeof v, v));
    NY_GROW(ctx, t->y, t->y_room, t->rows + 1);
    t->y[t->rows] = v;
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
    bool *used = NULL;
    *count = 0;
    *numeric = true;
    NY_NEW(ctx, *sorted, t->dict.count + 1);
    NY_NEW(ctx, used, t->dict.count + 1);
    for (int64_t i = 0; i < t->rows; i++) used[t->code[i]] = true;
    for (int64_t k = 0; k < t->dict.count; k++) {
        if (!used[k]) continue;
        (*sorted)[(*count)++] = (entry){t->value[k], ny_dict_text(&t->dict, k), k};
        *numeric = *numeric && !isnan(t->value[k]);
    }
    qsort(*sorted, (size_t)*count, sizeof **sorted, *numeric ? by_value : by_text);
done:
    ny_free(used);
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
    int32_t *rank = NULL; /* number in dict -> label */
    int64_t count;
    NY_TRY(sort_entries(ctx, t, &sorted, &count, &data->numeric_target));
    NY_NEW(ctx, rank, t->dict.count + 1);
    NY_NEW(ctx, data->label, count + 1);
    for (int64_t i = 0; i < count; i++) {
        bool again = data->numeric_target && i > 0 && sorted[i].value == sorted[i - 1].value;
        if (!again) {
            if (!(data->label[data->labels] = label_text(ctx, t, &sorted[i]))) {
                st = NY_ERR_MEMORY;
                goto done;
            }
            data->labels++;
        }
        rank[sorted[i].number] = (int32_t)(data->labels - 1);
    }
    for (int64_t i = 0; i < t->rows; i++) {
        t->code[i] = rank[t->code[i]];
        if (!data->numeric_target) t->y[i] = t->code[i];
    }
    data->code = t->code;
    t->code = NULL;
done:
    ny_free(sorted);
    ny_free(rank);
    return st;
}

ny_status ny_target_finish(ny_ctx *ctx, ny_target *t, bool needed, ny_data *data) {
    ny_status st = NY_OK;
    if (t->missing > 0) {
        NY_CHECK(ctx, !needed, NY_ERR_DATA,
                 "%s:%lld:%lld: the target is missing here and in %lld rows in all; --missing drop leaves them out",
                 data->source, (long long)t->missing_line, (long long)t->missing_field, (long long)t->missing);
        ny_log(ctx, NY_LOG_WARNING, "%s:%lld:%lld: the target is missing (%lld rows in all): read without a target",
               data->source, (long long)t->missing_line, (long long)t->missing_field, (long long)t->missing);
        t->lost = true;
    }
    if (t->lost || t->rows == 0) return st;
    data->numeric_target = true;
    if (!t->many) NY_TRY(make_labels(ctx, t, data));
    data->has_target = true;
    data->y = t->y;
    t->y = NULL;
done:
    return st;
}
