/* landmark.h: the landmark family: which points carry the low-rank approximation of the kernel matrix. */
#ifndef NY_LANDMARK_H
#define NY_LANDMARK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"
#include "kernel/kernel.h"

#define NY_LANDMARK_LIST(X) \
    X(rpcholesky)           \
    X(cholesky)             \
    X(uniform)              \
    X(kmeans)               \
    X(density)              \
    X(entropy)

typedef struct ny_landmarks {
    ny_matrix Z; /* d x m: the landmarks */
    double *G;   /* m x n, leading dimension ldg: the factor K ~ G'G, where the method makes it on its way; else NULL */
    int64_t ldg;
    double *L;       /* m x m lower, kappa(Z,Z) = L L'; with G only */
    double *weight;  /* m: how many rows each one stands for; NULL: all alike */
    ny_matrix redundant; /* drawn too, but adding nothing to Z; empty as a method makes them */
} ny_landmarks;

typedef struct ny_landmark_spec {
    const ny_kernel_params *kernel;
    const ny_kernel_side *X;
    const int32_t *code; /* n: classes 0 .. classes-1, for methods that stratify; NULL for regression */
    int64_t classes;
    const int64_t
        *id; /* n: numbers of the rows, which a draw goes by: it then does not depend on their order; NULL: 0, 1, .. */
    int64_t m; /* at most so many landmarks, 1 <= m <= n */
    double tol;
    uint64_t seed;
    int64_t spare; /* rows that ldg has beyond m, for the caller to fill */
} ny_landmark_spec;

typedef struct ny_landmark_method {
    const char *name, *help;
    bool by_kernel; /* the choice depends on the kernel; else it serves all kernels and bandwidths */
    /* At most m landmarks for the points X; fewer when the rest of the kernel matrix is below tol times its trace. */
    ny_status (*choose)(ny_ctx *ctx, const ny_landmark_spec *spec, ny_landmarks *out);
} ny_landmark_method;

#define X(name) extern const ny_landmark_method ny_landmark_##name;
NY_LANDMARK_LIST(X)
#undef X

/* The member of that name, and the members in their order; NULL if there is none, or past the end. */
const ny_landmark_method *ny_landmark_find(const char *name);
const ny_landmark_method *ny_landmark_at(int64_t index);
/* What `auto` takes for m of n points. */
const ny_landmark_method *ny_landmark_auto(int64_t m, int64_t n);
/* Frees what the landmarks hold and zeroes the struct. */
void ny_landmarks_clear(ny_landmarks *landmarks);

#endif
