/* progress.c: "select       [########--------]  37/120  31%  0:12 left", redrawn in place.
 *
 * The line is overwritten with spaces rather than erased with an escape sequence, so it works on any terminal. */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

/* ---- what the terminal can show ---------------------------------------------------------------------------------- */

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

bool cli_colour(FILE *stream) {
    return isatty(fileno(stream)) && !*environment("NO_COLOR") && strcmp(environment("TERM"), "dumb") != 0;
}

bool cli_unicode(void) {
    /* The order in which C looks for the character set; setlocale itself would change the decimal point. */
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = environment(names[i]);
        if (*value) return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

int cli_width(FILE *stream, int otherwise) {
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return otherwise;
}

/* ---- the line ---------------------------------------------------------------------------------------------------- */

enum { LINE_MAX_COLUMNS = 78, STAGE_COLUMNS = 12, BAR_LEAST = 8, BAR_MOST = 36, COUNT_MOST = 10000000 };

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

static void time_left(char *text, size_t size, double seconds) {
    *text = '\0';
    if (!(seconds >= 0 && seconds < 1e8)) return;
    long s = (long)(seconds + 0.5);
    if (s >= 3600) snprintf(text, size, "  %ld:%02ld:%02ld left", s / 3600, s / 60 % 60, s % 60);
    else snprintf(text, size, "  %ld:%02ld left", s / 60, s % 60);
}

/* "  37/120  31%  0:12 left"; a total of 1 is a fraction, a huge one counts operations: both show as percent only. */
static void describe(char *text, size_t size, double done, double total, double seconds_left) {
    char left[48], count[80] = "";
    time_left(left, sizeof left, seconds_left);
    if (!(total > 0)) {
        snprintf(text, size, "%s", left);
        return;
    }
    if (total > 1 && total < COUNT_MOST) snprintf(count, sizeof count, "  %.0f/%.0f", done, total);
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
