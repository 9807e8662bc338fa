/* kernel.h: the kernel family. A member is a function of the squared distance of two points, of their inner product, or
 * of the sum of powers of their differences; tiles of those come from one GEMM, a sparse product or differences.c, and
 * the member maps them in place. */
#ifndef NY_KERNEL_H
#define NY_KERNEL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"
#include "table/matrix.h"

#define NY_KERNEL_LIST(X) \
    X(rbf)                \
    X(linear)             \
    X(poly)               \
    X(laplace)            \
    X(matern32)           \
    X(matern52)           \
    X(powexp1)            \
    X(powexp15)

typedef enum {
    NY_BASE_SQDIST, /* sum_j (x_j - z_j)^2 */
    NY_BASE_DOT,    /* sum_j x_j z_j */
    NY_BASE_ABS,    /* sum_j |x_j - z_j| */
    NY_BASE_ABS15,  /* sum_j |x_j - z_j|^1.5 */
} ny_kernel_base;

typedef struct ny_kernel_params {
    const struct ny_kernel *kernel;
    double bandwidth; /* sigma; without meaning where the kernel has none */
    double coef0;
    int64_t degree;
    int64_t tile; /* columns of a tile; 0: as many as fit the cache */
} ny_kernel_params;

typedef struct ny_kernel {
    const char *name, *help;
    ny_kernel_base base;
    bool has_bandwidth;
    /* v: n values of the base in, kernel values out, in place. */
    void (*map)(double *v, int64_t n, const ny_kernel_params *p);
    /* v as for map; out: the derivative of the kernel value by v. (By log sigma it is -v times that and the base's
     * order.) */
    void (*slope)(double *v, int64_t n, const ny_kernel_params *p);
    double (*gamma_libsvm)(
        const ny_kernel_params *p); /* the same width in LIBSVM's and scikit-learn's terms, or NULL */
    double (*dimension)(const ny_kernel_params *p, int64_t inputs); /* of the feature space; NULL: infinite */
    int64_t (*degree)(const ny_kernel_params *p); /* of the values as polynomials of x; NULL: they are bounded */
} ny_kernel;

#define X(name) extern const ny_kernel ny_kernel_##name;
NY_KERNEL_LIST(X)
#undef X

/* The member of that name, and the members in their order; NULL if there is none, or past the end. */
const ny_kernel *ny_kernel_find(const char *name);
const ny_kernel *ny_kernel_at(int64_t index);
/* The kernels that an option's value stands for: "auto" is a smooth and a rough one, two separable ones and two
 * of finite rank for the criterion to choose from, any other name is itself. Returns how many (at most `room`). */
int64_t ny_kernel_candidates(const char *name, int64_t room, const ny_kernel **kernels);

/* Whether its values have a bound that does not depend on the points: what a machine says far away from its training
 * rows is bounded then, too. */
static inline bool ny_kernel_bounded(const ny_kernel *kernel) {
    return kernel->base != NY_BASE_DOT;
}

/* By which power of a common factor of all inputs the base grows. */
static inline double ny_base_order(ny_kernel_base base) {
    return base == NY_BASE_ABS ? 1 : base == NY_BASE_ABS15 ? 1.5 : 2;
}

/* Of the feature space of points with so many inputs; INFINITY for most kernels.   docs/math.md, eq. 95 */
static inline double ny_kernel_dimension(const ny_kernel_params *p, int64_t inputs) {
    return p->kernel->dimension ? p->kernel->dimension(p, inputs) : INFINITY;
}
/* Whether so many landmarks can span the whole feature space: their machine is as good as the exact one. */
static inline bool ny_spans(const ny_kernel_params *p, int64_t inputs, int64_t landmarks) {
    return ny_kernel_dimension(p, inputs) <= (double)landmarks;
}
/* How many of n points to choose at most, where those already explained are not chosen again, until nothing is left: n,
 * unless the dimension is much less. */
int64_t ny_kernel_span(double dimension, int64_t n);

/* Rows of one side prepared for products with many others: norms, and an inverted index when sparse. */
typedef struct ny_kernel_side {
    const ny_matrix *X;
    double *norms;    /* n: |x_i|^2 */
    int64_t *feature; /* d + 1: where each input's entries start (sparse only) */
    int32_t *owner;   /* which point an entry belongs to */
    double *value;
} ny_kernel_side;

/* Looks at Z as long as the side is in use. inverted: with the index, which the left side of products with sparse
 * points needs. For ny_kernel_release; a failure leaves nothing to release. */
ny_status ny_kernel_prepare(ny_ctx *ctx, const ny_matrix *Z, bool inverted, ny_kernel_side *side);
/* Frees the arrays, not the points, and zeroes the struct. */
void ny_kernel_release(ny_kernel_side *side);

/* K = kappa(Z, X[:, first .. first+count)): m x count, leading dimension ldk. One thread; no allocation. */
void ny_kernel_tile(const ny_kernel_params *p, const ny_kernel_side *Z, const ny_kernel_side *X, int64_t first,
                    int64_t count, double *K, int64_t ldk);
/* The same of the derivative by the base. */
void ny_kernel_slopes(const ny_kernel_params *p, const ny_kernel_side *Z, const ny_kernel_side *X, int64_t first,
                      int64_t count, double *K, int64_t ldk);
/* The whole m x n matrix, tiles in parallel. slope: the derivative by the base instead of the value. */
void ny_kernel_matrix(const ny_kernel_params *p, const ny_kernel_side *Z, const ny_kernel_side *X, bool slope,
                      double *K, int64_t ldk);
/* The base itself: squared distances, inner products or sums of powers of differences. */
void ny_kernel_bases(const ny_kernel_params *p, const ny_kernel_side *Z, const ny_kernel_side *X, double *V,
                     int64_t ldv);
/* kappa(x_i, x_i) for every i. */
void ny_kernel_diagonal(const ny_kernel_params *p, const ny_kernel_side *X, double *diag);
/* Columns of a tile for m points of d inputs: as the parameters say, or so that it stays in the second-level cache but
 * is wide enough for the product's own packing of the m points to pay. */
int64_t ny_kernel_tile_width(const ny_kernel_params *p, int64_t m, int64_t d);

#endif
