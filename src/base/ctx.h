/* ctx.h: what travels through every call: message, callbacks, cancellation, deadline, stage times. */
#ifndef NY_CTX_H
#define NY_CTX_H

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "alloc.h"
#include "nysel.h"
#include "status.h"

enum { NY_MESSAGE_MAX = 1024 };

struct ny_ctx {
    char message[NY_MESSAGE_MAX];
    ny_log_fn *log;
    void *log_user;
    ny_progress_fn *progress;
    void *progress_user;
    bool begun;           /* by ny_begin: memory and deadline hold for the whole run, not for a call of their own */
    int64_t memory;       /* bytes not to exceed; 0 = any number */
    atomic_int cancelled; /* set by ny_cancel, also from a signal handler */
    double deadline;      /* ny_now() at which all must be done; 0 = none */
    double reserve;       /* seconds before it at which to stop searching */
    bool stopped;         /* a step was ended early for one of these, and what follows only finishes */
    double grace;         /* ny_now() until which nothing stops the finishing step; 0: there is no grace */
    double progress_last; /* when the callback was last called */
    const struct ny_ctx
        *above; /* the one whose task this is a part of, and whose cancellation holds here, too; or NULL */
};

/* For a part of a task that runs beside others: the same limits, but a message, a deadline and a stop of its own, and
 * no callbacks, which are for the caller's thread. */
ny_ctx ny_ctx_under(const ny_ctx *above);

double ny_now(void); /* monotonic seconds */

/* True once the user cancelled or the time limit has passed: stop at the next sensible point. Within a grace period it
 * is false, and true when that is over. */
bool ny_should_stop(ny_ctx *ctx);
/* A step was ended early: the one place where that is kept. What follows has all the grace it needs to finish. */
void ny_stop_take(ny_ctx *ctx);
/* After a stop: the finishing step has until then (ny_now()); INFINITY: as long as it takes. Before one: nothing. */
void ny_stop_grace(ny_ctx *ctx, double until);
/* A new run: nothing has been stopped. */
void ny_stop_forget(ny_ctx *ctx);

/* Hands a message to the callback, if there is one: cut to NY_MESSAGE_MAX, without a newline. */
void ny_log(ny_ctx *ctx, ny_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Reports stage progress (done of total, any unit; seconds_left < 0 when unknown), at most 20 times a second. */
void ny_progress(ny_ctx *ctx, const char *stage, double done, double total, double seconds_left);

int64_t ny_peak_bytes(void);      /* largest resident size so far */
int64_t ny_available_bytes(void); /* memory that could be had now without swapping */

#endif
