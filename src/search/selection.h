/* selection.h: one activity on the rows: what is asked (setup.h), the rows (rows.h), the plan, a cache of the level at
 * work, and what was found. A search is a strategy for calling ny_evaluate. Another selection over the same setup and
 * rows, with a cache and an outcome of its own, evaluates points for any other purpose and touches nothing of this one.
 */
#ifndef NY_SELECTION_H
#define NY_SELECTION_H

#include "base/mean_limits.h"
#include "route.h"
#include "rows.h"
#include "solution.h"

enum {
    NY_SIDE_BY_SIDE = 4000000, /* entries of a factor that may be in memory once for each thread */
    NY_CONTENDERS = 32,        /* machines whose held-out losses tell what the choice among them is worth */
};

/* Flops of an exact machine that need no reason: up to ten seconds. */
#define NY_EXACT_CHEAP 1e12
#define NY_EXACT_CHOOSING (NY_EXACT_CHEAP / 4) /* of all iterations in which it chooses for itself */

/* What is to be made: from train/plan.c, and what the search made of it. It owns nothing. */
typedef struct ny_search_plan {
    ny_route route;
    int64_t landmarks;       /* of the final machine; >= n or >= spanning: exact */
    int64_t landmarks_most;  /* how many they may become (sizes.c) */
    int64_t landmarks_alone; /* how many they would be if no exact machine came after, for if none does */
    int64_t spanning;        /* so many span the kernels' whole feature space; 0: no such number */
    int64_t rank;            /* eigenvalues of the landmarks' kernel matrix to keep; 0: all, in Cholesky form */
} ny_search_plan;

typedef struct ny_hint { /* the C of a kernel's best machine so far, where the next search for C begins */
    int64_t rows, asked;
    double value, bandwidth, *C; /* C: outputs; NULL: none yet */
    double moved;                /* of its effort */
    bool stood_in;               /* of squared losses in place of the machine's own */
} ny_hint;

/* What evaluations of the level at work share. It may be thrown away at any time: it only saves work. */
typedef struct ny_cache {
    ny_rows subset; /* the rows of the level, where they are not all */
    int64_t subset_asked;
    ny_point reference;  /* where the common landmarks of a smaller level are chosen; set by the search */
    bool hold;           /* they are common at full size as well: for a search that goes by small differences */
    ny_landmarks common; /* those landmarks: Z and weight */
    int64_t common_rows, common_landmarks; /* the level they belong to */
    ny_hint hint[NY_KERNELS_MAX];          /* of each kernel */
    ny_factor *eigen; /* where the eigen form of a rank is kept for the smaller ones (ranks.c); or NULL */
} ny_cache;

typedef struct ny_trial { /* one evaluation for the record */
    const ny_kernel *kernel;
    double bandwidth, C, value, error;
    int64_t rows, landmarks, rank;
    double log_loss; /* where it stood for its kernel in a contest (contest.h); else NAN */
} ny_trial;

typedef struct ny_champion { /* a kernel's best machine of a size, for a contest of the kernels: contest.h */
    int64_t rows, asked;
    bool stood_in;          /* of squared losses in place of the machine's own */
    double goal, bandwidth; /* what it is the best by; where it is */
    double *F;              /* the held-out outputs of some rows; NULL: there is none */
} ny_champion;

typedef struct ny_tried { /* the held-out losses of the best machines of all rows: contenders.c */
    int64_t count;
    double value[NY_CONTENDERS]; /* of the criterion */
    ny_contender machine[NY_CONTENDERS];
} ny_tried;

typedef struct ny_outcome { /* what was found */
    ny_solution best;
    ny_tried tried;
    ny_champion champion[NY_KERNELS_MAX];
    int64_t trials;
    ny_trial *trial;      /* in the order tried */
    int bandwidth_edge;   /* -1, +1: the winner lies on an end of a range given by the user */
    ny_point exact_at;    /* where the exact machine is to be, C about this; kernel NULL: where the best machine is */
    ny_point exact_rival; /* another kernel that may be as good there; kernel NULL: none */
    double seconds_landmarks, work_done, work_total, started;
} ny_outcome;

struct ny_passes;
struct ny_pace;

typedef struct ny_selection {
    ny_ctx *ctx;
    const ny_setup *setup;        /* as asked */
    ny_setup now;                 /* the same, or for now the stand-in of squared loss */
    const ny_training_rows *rows; /* what there is to learn from */
    struct ny_passes *passes;     /* by which all of them come; NULL: those in memory are all that it looks at */
    struct ny_pace *pace;         /* of the run */
    ny_search_plan plan;
    ny_cache cache;
    ny_outcome found;
} ny_selection;

/* Directions of the landmarks' kernel matrix are cut, by --rank or --rank-floor: all rows do not make an exact machine.
 */
static inline bool ny_selection_cuts(const ny_selection *sel) {
    return sel->plan.rank || sel->setup->options->rank_floor > 0;
}
/* The rows that have held-out outputs where these are learnt from: they, or the validation set. */
static inline const ny_rows *ny_judged_rows(const ny_selection *sel, const ny_rows *learnt) {
    return ny_setup_validates(&sel->now) ? &sel->rows->validation : learnt;
}
/* Nothing is cached and nothing found yet. The rank is the options', the rest of the plan empty. It borrows setup and
 * rows; ny_selection_clear frees what it has made itself. */
ny_selection ny_selection_of(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *rows);
void ny_selection_clear(ny_selection *sel);
/* Frees what is cached; the next evaluation makes it anew. */
void ny_cache_clear(ny_cache *cache);

/* `count` of the rows: all, or a stratified sample. The first call for a size draws it; the same size again finds it.
 */
ny_status ny_rows_of_level(ny_selection *sel, int64_t count, const ny_rows **rows);

/* Below the full size all points of a level share their landmarks, chosen once at cache.reference: what differs between
 * two values is then the bandwidth and not the draw. At full size each point has its own, unless the method does not
 * look at the kernel.
 *
 * Trains with `landmarks` on `rows` of the rows (all or a stratified sample) at each of the points, C by the criterion.
 * Small machines are trained side by side, one thread each; large ones one after the other with all threads. Keeps the
 * best as found.best if it is better, or if it was made with more rows or landmarks. NY_STOPPED: the user or the clock
 * said stop. */
ny_status ny_evaluate(ny_selection *sel, int64_t rows, int64_t landmarks, int64_t count, ny_point *points);

/* The held-out losses of a solution of all rows, if it is among the best so far. */
ny_status ny_contenders_add(ny_selection *sel, const ny_solution *s);
void ny_contenders_clear(ny_tried *tried);
/* The unit that a row belongs to (base/mean_limits.h), copies together, and how many there are. */
int64_t ny_unit(const ny_rows *rows, int64_t i);
int64_t ny_units(int64_t n);

#endif
