/* record.c: see record.h. */
#include "record.h"

#include <stdarg.h>
#include <stdio.h>

void ny_record_clear(ny_record *record) {
    ny_free(record->source);
    ny_free(record->criterion);
    ny_free(record->origin.route);
    ny_free(record->origin.why);
    ny_free(record->metric.used);
    ny_free(record->origin.scale);
    ny_free(record->evaluation);
    for (int64_t i = 0; i < record->comparisons; i++) ny_free(record->comparison[i].criterion);
    ny_free(record->comparison);
    ny_free(record->level);
    ny_free(record->descent.objective);
    for (int64_t i = 0; i < record->notes; i++) ny_free(record->note[i]);
    ny_free(record->note);
    for (int64_t c = 0; c < record->columns; c++) ny_free(record->column[c].name);
    ny_free(record->column);
    *record = (ny_record){0};
}

/* Lists grow when their length is a power of two, so no capacity has to be kept beside the length. */
static bool is_full(int64_t length) {
    return (length & (length - 1)) == 0;
}

ny_status ny_record_note(ny_ctx *ctx, ny_record *record, const char *format, ...) {
    char text[NY_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (is_full(record->notes)) {
        int64_t room = record->notes ? 2 * record->notes : 1;
        char **note = ny_realloc(ctx, record->note, record->notes, room, sizeof *note);
        if (!note) return NY_ERR_MEMORY;
        record->note = note;
    }
    char *copy = ny_strdup(ctx, text);
    if (!copy) return NY_ERR_MEMORY;
    record->note[record->notes++] = copy;
    return NY_OK;
}

ny_status ny_record_comparison(ny_ctx *ctx, ny_record *record, const char *criterion, ny_comparison c) {
    ny_comparison *list =
        ny_realloc(ctx, record->comparison, record->comparisons, record->comparisons + 1, sizeof *list);
    if (!list) return NY_ERR_MEMORY;
    record->comparison = list;
    if (!(c.criterion = ny_strdup(ctx, criterion))) return NY_ERR_MEMORY;
    record->comparison[record->comparisons++] = c;
    return NY_OK;
}

ny_status ny_record_evaluation(ny_ctx *ctx, ny_record *record, ny_evaluation e) {
    if (is_full(record->evaluations)) {
        int64_t room = record->evaluations ? 2 * record->evaluations : 1;
        ny_evaluation *list = ny_realloc(ctx, record->evaluation, record->evaluations, room, sizeof *list);
        if (!list) return NY_ERR_MEMORY;
        record->evaluation = list;
    }
    record->evaluation[record->evaluations++] = e;
    return NY_OK;
}
