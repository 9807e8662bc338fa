/* lines.c: see lines.h. */
#include "lines.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static bool make_room(ny_lines *lines, int64_t needed) {
    if (lines->length + needed < lines->room) return true;
    int64_t room = 2 * (lines->length + needed) + 256;
    char *text = ny_realloc(lines->ctx, lines->text, lines->length, room, 1);
    if (!text) return false;
    lines->text = text;
    lines->room = room;
    return true;
}

void ny_lines_add(ny_lines *lines, const char *format, ...) {
    va_list args, again;
    if (lines->failed) return;
    va_start(args, format);
    va_copy(again, args);
    int needed = vsnprintf(NULL, 0, format, args);
    va_end(args);
    lines->failed = needed < 0 || !make_room(lines, needed);
    if (!lines->failed)
        lines->length += vsnprintf(lines->text + lines->length, (size_t)(lines->room - lines->length), format, again);
    va_end(again);
}

static bool starts_character(char c) {
    return ((unsigned char)c & 0xC0) != 0x80;
}

int ny_characters(const char *text) {
    int count = 0;
    for (; *text; text++) count += starts_character(*text);
    return count;
}

void ny_lines_field(ny_lines *lines, const char *text, int width) {
    int room = width < 0 ? -width : width, used = 0, bytes = 0;
    for (; text[bytes]; bytes++) {
        if (starts_character(text[bytes]) && used == room) break;
        used += starts_character(text[bytes]);
    }
    int left = width < 0 ? room - used : 0, right = width < 0 ? 0 : room - used;
    ny_lines_add(lines, "%*s%.*s%*s", left, "", bytes, text, right, "");
}

ny_status ny_lines_take(ny_lines *lines, char **text) {
    ny_lines_add(lines, "%s", ""); /* an empty text is a text too */
    if (lines->failed) {
        ny_free(lines->text);
        lines->text = NULL;
        return ny_error(lines->ctx, NY_ERR_MEMORY, "out of memory while writing a report");
    }
    *text = lines->text;
    lines->text = NULL;
    return NY_OK;
}

ny_word ny_say_number(double v) {
    ny_word w;
    double size = fabs(v);
    if (size >= 999.5 && size < 1e7) snprintf(w.text, sizeof w.text, "%.0f", v);
    else snprintf(w.text, sizeof w.text, "%.3g", v);
    return w;
}

ny_word ny_say_seconds(double seconds) {
    ny_word w;
    int64_t whole = seconds < 1e9 ? (int64_t)(seconds + 0.5) : 1000000000;
    if (!(seconds >= 9.995)) snprintf(w.text, sizeof w.text, "%.2f s", seconds);
    else if (seconds < 119.95) snprintf(w.text, sizeof w.text, "%.1f s", seconds);
    else if (whole < 7200) snprintf(w.text, sizeof w.text, "%d min %02d s", (int)(whole / 60), (int)(whole % 60));
    else snprintf(w.text, sizeof w.text, "%d h %02d min", (int)(whole / 3600), (int)(whole % 3600 / 60));
    return w;
}

ny_word ny_say_bytes(int64_t bytes) {
    static const char *const unit[] = {"kB", "MB", "GB", "TB"};
    ny_word w;
    double size = (double)bytes / 1e3;
    int u = 0;
    for (; u < 3 && size >= 999.5; u++) size /= 1e3;
    snprintf(w.text, sizeof w.text, size < 9.95 && u > 1 ? "%.1f %s" : "%.0f %s", size, unit[u]);
    return w;
}

ny_word ny_say_percent(double share) {
    ny_word w;
    double percent = 100 * share;
    if (!isfinite(share)) snprintf(w.text, sizeof w.text, "undefined");
    else snprintf(w.text, sizeof w.text, percent != 0 && fabs(percent) < 0.095 ? "%.2f%%" : "%.1f%%", percent);
    return w;
}

/* ---- the model beside what does not look at the inputs ----------------------------------------------------------- */

const char *ny_baseline_name(const ny_model *model) {
    const double *share = model->prior ? model->prior : model->frequency;
    int64_t usual = 0;
    if (!model->classes) return model->quantiles ? "quantiles" : "mean";
    for (int64_t k = 1; share && k < model->classes; k++)
        if (share[k] > share[usual] * (1 + 1e-9)) usual = k; /* equal but for rounding: the first */
    return model->label[usual];
}

void ny_lines_baseline(ny_lines *t, const char *label, const char *else_what) {
    if (label) ny_lines_add(t, "always saying '%s'", label);
    else ny_lines_add(t, "always the %s of the targets", else_what);
}

double ny_expected_r2(const ny_model *model) {
    const ny_expected *e = &model->record->expected;
    double ratio = e->error / e->baseline_error;
    return model->classes || model->quantiles || !(e->baseline_error > 0) ? NAN : 1 - ratio * ratio;
}
