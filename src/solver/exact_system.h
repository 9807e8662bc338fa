/* exact_system.h: the exact machines of some rows, in whichever way their systems are solved.
 *
 *     A alpha + b u = y,   u'alpha = 0,   A = D K D + I/C,   D = diag(u)                     docs/math.md, eq. 51, 100
 *
 * for each output; without a bias b = 0, and there is no side condition; with a penalised one it is u'alpha = rho b.
 * A system is prepared once for the kernel and
 * the rows; then it answers for any list of C with alpha, b and the leave-one-out outputs. With Q the inverse of A on
 * the space orthogonal to u,
 *
 *     alpha = Q y,     f_i(loo) = (y_i - alpha_i / Q_ii) / u_i                                            eq. 63, 100
 *
 * There are two members. The one that factors A for each C (exact_cholesky.c) takes n^3 operations and n^2 numbers; the
 * one that goes by conjugate gradients (exact_cg.c) takes a few products with K, and knows Q_ii only nearly. */
#ifndef NY_EXACT_SYSTEM_H
#define NY_EXACT_SYSTEM_H

#include "cg.h"
#include "problem.h"

typedef struct ny_system_rows {  /* what is to be learnt; everything is borrowed */
    int64_t n, q;                /* rows and outputs */
    const double *u;             /* n: square roots of the row weights */
    const double *Y;             /* n x q: targets, row i scaled by u_i */
    double rho;                  /* of the bias: bias.h */
    const ny_together *together; /* rows that are left out together; NULL: each by itself */
} ny_system_rows;

typedef struct ny_system_list { /* the machines that are asked for */
    int64_t count;
    const double *C;   /* count: different values */
    const double *own; /* q: output j is solved at C = own[j] only; NULL: every output at every C */
    bool leave_out;    /* Leave-one-out is wanted too. */
} ny_system_list;

/* For each output the machine of least leave-one-out error that was found so far; where leave-one-out is not asked for,
 * the last one. */
typedef struct ny_system_best {
    double *loss; /* q: sum_i v_i e_i^2 / sum_i v_i of the leave-one-out errors, v = u^2; INFINITY: nothing was found */
    double *C, *b; /* q */
    double *alpha; /* n x q: the coefficients of the points are u_i alpha_i */
    double *Q;     /* n x q: Q_ii, so that 1 - Q_ii / C are the leverages; NULL without leave-one-out */
    double *held;  /* n x q: leave-one-out outputs; NULL without leave-one-out */
} ny_system_best;

/* Room for machines of these rows; nothing is found yet. The caller clears it, also after an error. */
ny_status ny_system_best_new(ny_ctx *ctx, const ny_system_rows *rows, bool leave_out, ny_system_best *out);
void ny_system_best_clear(ny_system_best *best);

/* How a system is solved: solve does what ny_system_solve says, with a report that is empty at first; release frees the
 * state, or does nothing where that is NULL. */
typedef struct ny_system_member {
    ny_status (*solve)(ny_ctx *ctx, void *state, const ny_system_list *list, ny_system_best *best, double *mean,
                       ny_cg_report *report);
    void (*release)(void *state);
} ny_system_member;

typedef struct ny_system {
    const ny_system_member *member; /* NULL: nothing is prepared */
    void *state;
    int64_t rank;        /* of the preconditioner, where there is one */
    ny_cg_report report; /* what the iterations of the last ny_system_solve did; of a factor: nothing */
} ny_system;

/* A Cholesky factor for each C of the list, from D K D: n x n, leading dimension ld, of which the lower triangle is
 * read; it stays the caller's, and must stay as it is. keep: of one output, what ny_system_kept gives. */
ny_status ny_system_of_matrix(ny_ctx *ctx, const ny_system_rows *rows, const double *K, int64_t ld, bool keep,
                              ny_system *out);
/* The same where K is computed from the points X (borrowed) anew for each C, in the place where the factor will be:
 * that is little beside the factor, and n x n numbers are all the memory. */
ny_status ny_system_of_kernel(ny_ctx *ctx, const ny_system_rows *rows, const ny_kernel_params *kernel,
                              const ny_matrix *X, ny_system *out);

typedef struct ny_system_factor { /* of the best machine of one output */
    double C;
    const double *L;  /* n x n: the lower triangle is L^-1, A = L L' */
    const double *Lu; /* n: L^-1 u */
    const double *alpha, *Q;
} ny_system_factor;

/* It stays the system's. */
ny_system_factor ny_system_kept(const ny_system *system);

typedef struct ny_system_goals { /* of conjugate gradients */
    double tol, good;            /* residuals |r| / |y|: wanted, and worth having */
    double share;                /* r may be at most this share of the training errors (cg.h) */
    double signs_tol;            /* residuals of the random signs, which need less */
    int64_t iterations;          /* at most */
    bool hasty; /* Nobody has asked for the machine: fewer iterations where they will not do, products in
                   single precision where they will, and no machine where leave-one-out is not known. */
} ny_system_goals;

typedef struct ny_system_iteration { /* what conjugate gradients need; X and id are borrowed */
    const ny_kernel_params *kernel;
    const ny_matrix *X;
    int64_t rank;    /* of the preconditioner, at most */
    int64_t columns; /* right sides of a list at most: ny_system_columns */
    ny_keep keep;    /* of the kernel matrix */
    uint64_t seed;
    const int64_t *id; /* n: numbers of the rows, from which they have their random signs */
} ny_system_iteration;

/* Conjugate gradients. On an error out->rank still tells whether there was a preconditioner. */
ny_status ny_system_iterated(ny_ctx *ctx, const ny_system_rows *rows, const ny_system_iteration *how,
                             const ny_system_goals *goals, ny_system *out);
/* Right sides: these targets, and so many sets of random signs (at most 64 in each). A list has a set for each C; but
 * one for all where three outputs or more have a C each. */
int64_t ny_system_columns(int64_t n, int64_t targets, int64_t sets);

/* Solves for every C of the list and offers the machines to `best`. mean (count; or NULL): the mean of the losses over
 * the outputs that were solved at each C. INFINITY: there is no machine; NAN: it was not solved well enough to know.
 * NY_STOPPED: what was found before stays in best. Where iterations were stopped system->report tells instead. */
ny_status ny_system_solve(ny_ctx *ctx, ny_system *system, const ny_system_list *list, ny_system_best *best,
                          double *mean);
/* Frees everything but rank and report, which stay to be read. */
void ny_system_clear(ny_system *system);

/* The different values among own (q), in their order, to C (room for q); returns how many. */
int64_t ny_system_values(int64_t q, const double *own, double *C);

/* ---- for the members ---- */

/* Whether output j is to be solved at the k-th C. */
static inline bool ny_system_wants(const ny_system_list *list, int64_t k, int64_t j) {
    return !list->own || list->own[j] == list->C[k];
}

typedef struct ny_system_machine { /* one output at one C; Q and held NULL: leave-one-out is not known */
    double C, b, loss;
    const double *alpha, *Q, *held; /* n */
} ny_system_machine;

/* Best keeps a copy of the machine if it is better than what is there. Returns whether it does. */
bool ny_system_offer(const ny_system_rows *rows, int64_t j, const ny_system_machine *machine, ny_system_best *best);
/* Leaves out, one by one, the rows of output j that have no copies: their outputs go to held. Those of the other rows
 * are there already. Returns the loss of all. */
double ny_system_leave(const ny_system_rows *rows, int64_t j, const double *alpha, const double *Q, double *held);

#endif
