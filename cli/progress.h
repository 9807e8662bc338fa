/* progress.h: the bar on standard error, and the lines that must not run into it. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

#include <nysel.h>

typedef struct cli_progress {
    bool bar; /* draw at all */
    bool colour, unicode;
    bool quiet;  /* no warnings either */
    int columns; /* of the bar now on the screen */
} cli_progress;

/* mode: auto (only when standard error is a terminal), always, never. */
void cli_progress_start(cli_progress *progress, const char *mode, bool quiet);
void cli_progress_clear(cli_progress *progress);

/* The callbacks of ny_on_progress and ny_on_log; user is the cli_progress. */
void cli_progress_show(void *user, const char *stage, double done, double total, double seconds_left);
void cli_progress_log(void *user, ny_level level, const char *message);

#endif
