/* progress.c: "select       [########--------]  37/120  31%  0:12 left", redrawn in place.
 *
 * The line is overwritten with spaces rather than erased with an escape sequence, so it works on any terminal. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum { LINE_MAX_COLUMNS = 78, STAGE_COLUMNS = 12, BAR_LEAST = 8, BAR_MOST = 36 };

void cli_progress_start(cli_progress *progress, const char *mode, bool quiet) {
    bool terminal = isatty(STDERR_FILENO);
    bool always = strcmp(mode, "always") == 0, never = strcmp(mode, "never") == 0;
    *progress = (cli_progress){
        .bar = always || (!never && !quiet && terminal),
        .colour = cli_colour(stderr),
        .unicode = cli_unicode(),
        .quiet = quiet,
    };
}

void cli_progress_clear(cli_progress *progress) {
    if (progress->columns > 0) fprintf(stderr, "\r%*s\r", progress->columns, "");
    progress->columns = 0;
}

/* 980, 15.3k, 2.1M: at most five characters. */
static void short_number(char *text, size_t size, double v) {
    static const char unit[] = {' ', 'k', 'M', 'G', 'T'};
    size_t u = 0;
    if (v >= 10000)
        while (v >= 1000 && u + 1 < sizeof unit) v /= 1000, u++;
    if (u == 0)
        snprintf(text, size, "%.0f", v);
    else
        snprintf(text, size, v < 100 ? "%.1f%c" : "%.0f%c", v, unit[u]);
}

static void time_left(char *text, size_t size, double seconds) {
    *text = '\0';
    if (!(seconds >= 0 && seconds < 1e8)) return;
    long s = (long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, size, "  %ld:%02ld:%02ld left", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, size, "  %ld:%02ld left", s / 60, s % 60);
}

/* "  37/120  31%  0:12 left"; a total of at most 1 is a fraction and shows as percent only. */
static void describe(char *text, size_t size, double done, double total, double seconds_left) {
    char a[32], b[32], left[48], count[80] = "";
    short_number(a, sizeof a, done);
    short_number(b, sizeof b, total);
    time_left(left, sizeof left, seconds_left);
    if (!(total > 0)) {
        snprintf(text, size, "  %s%s", a, left);
        return;
    }
    if (total > 1) snprintf(count, sizeof count, "  %s/%s", a, b);
    snprintf(text, size, "%s  %3.0f%%%s", count, 100 * done / total, left);
}

/* Writes the bar into text and returns its end. */
static char *draw_bar(char *text, const cli_progress *progress, int cells, double part) {
    int full = (int)(part * cells + 0.5);
    text = stpcpy(text, progress->colour ? " [\033[36m" : " [");
    for (int i = 0; i < cells; i++) {
        if (i == full && progress->colour) text = stpcpy(text, "\033[0m");
        text = stpcpy(text, progress->unicode ? (i < full ? "█" : "░") : (i < full ? "#" : "-"));
    }
    return stpcpy(text, progress->colour ? "\033[0m]" : "]");
}

void cli_progress_show(void *user, const char *stage, double done, double total, double seconds_left) {
    cli_progress *progress = user;
    if (!progress->bar) return;
    if (total > 0 && done > total) done = total;
    char tail[192], line[512];
    describe(tail, sizeof tail, done, total, seconds_left);

    int width = cli_width(stderr, 80) - 1;
    if (width > LINE_MAX_COLUMNS) width = LINE_MAX_COLUMNS;
    char *end = line + snprintf(line, 64, "%-*.30s", STAGE_COLUMNS, stage);
    int columns = (int)(end - line);
    int cells = width - columns - (int)strlen(tail) - 3;
    if (cells > BAR_MOST) cells = BAR_MOST;
    if (total > 0 && cells >= BAR_LEAST) {
        end = draw_bar(end, progress, cells, done / total);
        columns += cells + 3;
    }
    stpcpy(end, tail);
    columns += (int)strlen(tail);

    int stale = progress->columns > columns ? progress->columns - columns : 0;
    fprintf(stderr, "\r%s%*s", line, stale, "");
    progress->columns = columns;
}

void cli_progress_log(void *user, ny_level level, const char *message) {
    cli_progress *progress = user;
    if (progress->quiet) return;
    cli_progress_clear(progress);
    fprintf(stderr, "nysel: %s%s\n", level == NY_LOG_WARNING ? "warning: " : "", message);
}
