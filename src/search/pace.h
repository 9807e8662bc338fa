/* pace.h: how fast this run is, and what still fits into --time-limit. The limit is for the whole run, so a part of it
 * is kept for the end (ctx->reserve): a machine of all rows with few landmarks, calibration, the model file. Without a
 * limit nothing here has an effect, and the model of a run that ends within its limit never depends on it. */
#ifndef NY_PACE_H
#define NY_PACE_H

#include "selection.h"

typedef struct ny_pace {
    double rate;     /* operations in a second of machines, and ... */
    double plain;    /* ... of plain loops */
    double largest;  /* operations of the largest machine it was measured with */
    double prepared; /* seconds before the search */
    double planned;  /* operations in a second that the plan goes by, and ... */
    double exact;    /* ... those of the exact machine, if one is to come after */
    double more;     /* seconds that were added to the plan on the way */
} ny_pace;

/* Before the search. prepared: seconds that scaling the rows took, which tells what going through them takes. */
void ny_pace_begin(ny_selection *sel, double prepared);
/* So many operations took so many seconds. */
void ny_pace_done(ny_selection *sel, double flops, double seconds);
/* The plan has changed: so many operations are added to it, for `what`. Said where that is long. */
void ny_pace_more(ny_selection *sel, double flops, const char *what);
/* Whether so many more, and then the end, fit. */
bool ny_pace_fits(const ny_selection *sel, double flops);
/* The last machine after a stop: at most m landmarks of `rows`, and no more of both than fit; fewer after so many tries
 * that took too long. False: there is no smaller one. */
bool ny_pace_last(const ny_selection *sel, int tries, int64_t *rows, int64_t *m);
/* ny_now() until which it may take, or it is too large; tries = -1: those that tell where it is to be. */
double ny_pace_patience(const ny_selection *sel, int tries);
/* Rows among which probabilities are calibrated: after a stop no more than go fast. */
int64_t ny_pace_calibration(const ny_selection *sel);
/* How many of `places` machines may be looked at before the last one. */
int64_t ny_pace_places(const ny_selection *sel, int64_t rows, int64_t landmarks, int64_t places);

/* After an evaluation: so many flops of the work have been done, for the progress. */
void ny_work_done(ny_selection *sel, double flops);

#endif
