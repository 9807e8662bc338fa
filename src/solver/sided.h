/* sided.h: rows that count on one side of their target only, by active sets.   docs/math.md, section 17
 *
 *     J(w, b) = sum_i v_i xi_i^2 + lambda/2 |w|^2 + 2 lambda pull b
 *     xi_i = max(0, y_i (t_i - f_i)),   f_i = w'g_i + b
 *
 * The l2-SVM has t = y and no pull (C = 2/lambda); the smallest ball around the rows is of this kind too (ball.h). A
 * machine without bias has b = 0, and its system no border: nothing with u'a or p in what follows. Once
 * the set E of rows with xi > 0 is known, it is a ridge regression on E. With columns scaled by u = sqrt(v), everything
 * asked of it has the form of one bordered system,
 *
 *     (G_E'G_E + lambda/2 I) a + u b = e,     u'a = balance,     d = G_E a                                      (84)
 *
 * solved by a factor of r x r, whose matrix S = G_E G_E' follows the rows that enter or leave E, or, where E has fewer
 * rows than the features, by one of its own size. The factor then serves the machine, its derivative by lambda and all
 * leave-one-out outputs. */
#ifndef NY_SIDED_H
#define NY_SIDED_H

#include <math.h>

#include "problem.h"

typedef struct ny_sided_sums { /* moments of E, where it has more rows than features */
    bool known;                /* they are those of E */
    double *S, *p, s;          /* sum g g' (r x r, lower), sum u g, sum u^2; and for its targets */
    double *R, T;              /* r, 1: sum u t g, sum u^2 t */
    double heaviest;           /* the largest s since S was made from nothing */
    int64_t moved;             /* rows added or taken since then */
} ny_sided_sums;

typedef struct ny_sided_gram { /* of E, where it has at most as many rows as there are features */
    bool known;                /* G and K are those of E */
    double *G, *K;             /* r x active, active x active (lower, leading dimension r): G_E and G_E'G_E */
    double *nu, bend;          /* active, 1: (K + lambda/2 I)^-1 u and u'nu, once factored */
    int64_t *from;             /* r: scratch */
} ny_sided_gram;

typedef struct ny_sided {
    const ny_problem *P; /* its G, u and their sizes */
    const double *y, *v; /* n: sides, -1 or +1; weights u^2 */
    const double *t;     /* n: targets; may be changed between two solutions */
    double pull;
    bool bordered;            /* b is free; else it is 0 */
    double reach;             /* the largest |g_i| */
    double lambda, *w, b, *f; /* r, 1, n: the machine */
    double objective;
    bool *in, *want; /* n: E; and the one to come */
    int64_t active;  /* rows in E: */
    int64_t *row;    /* active */
    ny_sided_sums sums;
    ny_sided_gram gram;
    bool dual;       /* the factor is that of gram.K + lambda/2 I, else of S - p p'/s + lambda/2 I */
    bool factored;   /* L is that of E and lambda */
    double *L;       /* r x r, or active x active */
    int64_t systems; /* factored since it began */
    double *a;       /* n: of the last system, on E */
    struct {
        double *block, *e, *q, *d, *rhs; /* r x NY_SIDED_BLOCK, n, n, r, n */
    } work;                              /* scratch */
} ny_sided;

/* One right side of eq. 84. */
typedef struct ny_sided_side {
    const double *e;  /* n, used on E */
    const double *Ge; /* r: G_E e where it is known, which saves a pass over G_E; else NULL */
    double ue;        /* u'e, where Ge is known */
    double balance;
} ny_sided_side;

enum { NY_SIDED_BLOCK = 256 };

/* w = 0, every row in E. The problem and y, v, t are borrowed. */
ny_status ny_sided_new(ny_ctx *ctx, const ny_problem *P, const double *y, const double *v, const double *t, double pull,
                       ny_sided *s);
void ny_sided_clear(ny_sided *s);
/* E becomes `want`. */
void ny_sided_set(ny_sided *s, const bool *want);
/* The machine at lambda, from E and w as they are. */
ny_status ny_sided_solve(ny_ctx *ctx, ny_sided *s, double lambda);
/* The factor of the system for E and lambda as they are. helped: rounding asked for a little more on its diagonal. */
ny_status ny_sided_factor(ny_ctx *ctx, ny_sided *s, bool *helped);
/* What the border's sums are divided by: the weight of E, or infinity where there is no border. */
static inline double ny_sided_weight(const ny_sided *s) {
    return s->bordered ? s->sums.s : INFINITY;
}
/* Eq. 84: d (r), q (n) = G'd / u + b on E or for all rows, and s->a on E; returns b. */
double ny_sided_system(ny_sided *s, const ny_sided_side *side, bool all, double *d, double *q);
/* d (r) = G_E x for x (n, used on E). */
void ny_sided_sum(ny_sided *s, const double *x, double *d);
/* q (n) = G'd / u + b on E, or for all rows. */
void ny_sided_outputs(ny_sided *s, const double *d, double b, bool all, double *q);
/* To be called after a change of the targets. */
void ny_sided_retarget(ny_sided *s);
/* The multipliers alpha (n): alpha_i = 2 v_i xi_i / lambda, refined until the conditions
 *     y_i f_i + lambda alpha_i / 2 v_i = y_i t_i, alpha_i >= 0 on E,   y_i f_i >= y_i t_i on the rest,
 *     sum y_i alpha_i = 2 pull (where b is free),     w = sum alpha_i y_i g_i
 * hold to rounding: w, b and f become those that belong to alpha. Returns by how much they are still violated, in units
 * of the targets (the last but one: of sum alpha). */
double ny_sided_polish(ny_sided *s, double *alpha);

#endif
