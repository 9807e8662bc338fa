/* width_slope.c: from the features back to the bandwidth.
 *
 *     G = B kappa(Z,X),  K ~ G'G.   With E = B'dV/dG:
 *     dV/dkappa(Z,X) = E,     dV/dlog sigma = sum dV/dkappa o kappa',   kappa' = dkappa/dlog sigma = -q v slope(v),
 *     v the base of the kernel and q its order
 *
 * Cholesky form, B = L^-1:     dV/dkappa(Z,Z) = -1/2 E G'L^-1                                                  (156)
 * eigen form, B = D_r^-1/2 U_r'P^1/2, where W = P^1/2 kappa(Z,Z) P^1/2 = U D U': with Y = U'(P^-1/2 E kappa(X,Z)
 * P^1/2)U dV/dkappa(Z,Z) = P^1/2 U (c o Y) U'P^1/2,   c_ij = -1 / 2 D_j for i, j both kept, 1 / 2 (D_i - D_j) for i
 * kept and j cut, the mirror of that for i cut and j kept, and 0 for both cut: what is kept turns towards what is cut.
 * (157)
 */
#include <math.h>
#include <string.h>

#include "linalg/linalg.h"
#include "steer.h"

typedef struct {
    int64_t n, m, r; /* r: of the kernel; the constant feature has no width */
    ny_kernel_side x, z;
    double *E;     /* m x n: dV/dkappa(Z,X) */
    double *S;     /* m x m: dV/dkappa(Z,Z) */
    double *K;     /* m x n: kernel values, slopes, products */
    double *U, *Y; /* m x m */
    double *D;     /* m: eigenvalues, ascending */
} work;

static void release(work *k) {
    ny_kernel_release(&k->x);
    ny_kernel_release(&k->z);
    double *list[] = {k->E, k->S, k->K, k->U, k->Y, k->D};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) ny_free(list[i]);
}

/* sum of E o kappa' over all pairs of Z and X. E is overwritten, K (m x n) is scratch. */
static double contract(const ny_kernel_params *kernel, const ny_kernel_side *Z, const ny_kernel_side *X, double *E,
                       double *K) {
    int64_t m = Z->X->n, n = X->X->n;
    double sum = 0;
    ny_kernel_matrix(kernel, Z, X, true, K, m);
    for (int64_t i = 0; i < m * n; i++) E[i] *= K[i];
    ny_kernel_bases(kernel, Z, X, K, m);
    for (int64_t i = 0; i < m * n; i++)
        if (K[i] != 0) sum -= K[i] * E[i]; /* slopes may be infinite where v = 0 */
    return ny_base_order(kernel->kernel->base) * sum;
}

static void cholesky_part(const ny_factor *f, work *k) {
    int64_t m = k->m;
    ny_gemm(false, true, m, m, k->n, -0.5, k->E, m, f->G, f->ldg, 0.0, k->Y, m);
    for (int64_t j = 0; j < m; j++) /* S = Y L^-1 = (L'^-1 Y')' */
        for (int64_t i = 0; i < m; i++) k->S[j + i * m] = k->Y[i + j * m];
    ny_trsm(true, m, m, f->L, m, k->S, m); /* the transpose will do: kappa' is symmetric */
}

/* S = A S A' for A (m x m), transposed or not. */
static void both_sides(int64_t m, bool transpose, const double *A, double *S, double *scratch) {
    ny_gemm(transpose, false, m, m, m, 1.0, A, m, S, m, 0.0, scratch, m);
    ny_gemm(false, !transpose, m, m, m, 1.0, scratch, m, A, m, 0.0, S, m);
}

static ny_status eigen_part(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_factor *f, work *k) {
    ny_status st = NY_OK;
    int64_t m = k->m, cut = m - k->r;
    double *root = NULL;
    NY_NEW_RAW(ctx, root, m);
    for (int64_t i = 0; i < m; i++) root[i] = f->weight ? sqrt(f->weight[i]) : 1;
    ny_kernel_matrix(kernel, &k->z, &k->z, false, k->U, m);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++) k->U[i + j * m] *= root[i] * root[j];
    NY_TRY(ny_eig(ctx, m, k->U, m, k->D));
    ny_kernel_matrix(kernel, &k->z, &k->x, false, k->K, m);
    ny_gemm(false, true, m, m, k->n, 1.0, k->E, m, k->K, m, 0.0, k->S, m);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++) k->S[i + j * m] *= root[j] / root[i];
    both_sides(m, true, k->U, k->S, k->Y);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = cut; i < m; i++) { /* i is kept */
            double *at = &k->S[i + j * m];
            if (j >= cut) *at /= -2 * k->D[j];
            else k->S[j + i * m] = *at /= 2 * (k->D[i] - k->D[j]);
        }
    for (int64_t j = 0; j < cut; j++)
        for (int64_t i = 0; i < cut; i++) k->S[i + j * m] = 0;
    both_sides(m, false, k->U, k->S, k->Y);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++) k->S[i + j * m] *= root[i] * root[j];
done:
    ny_free(root);
    return st;
}

ny_status ny_width_slope(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, const ny_factor *f,
                         const double *by_G, double *slope) {
    ny_status st = NY_OK;
    work k = {.n = f->n, .m = f->m, .r = ny_factor_rank(f)};
    NY_TRY(ny_kernel_prepare(ctx, &f->Z, true, &k.z));
    NY_TRY(ny_kernel_prepare(ctx, X, false, &k.x));
    NY_NEW_RAW(ctx, k.E, ny_size3(k.m, k.n, 1));
    NY_NEW_RAW(ctx, k.K, ny_size3(k.m, k.n > k.m ? k.n : k.m, 1));
    NY_NEW_RAW(ctx, k.S, ny_size3(k.m, k.m, 1));
    NY_NEW_RAW(ctx, k.Y, ny_size3(k.m, k.m, 1));
    ny_factor_coefficients(f, k.n, by_G, k.E); /* B' by_G */
    if (f->T) {
        NY_NEW_RAW(ctx, k.U, ny_size3(k.m, k.m, 1));
        NY_NEW_RAW(ctx, k.D, k.m);
        NY_TRY(eigen_part(ctx, kernel, f, &k));
    } else {
        cholesky_part(f, &k);
    }
    *slope = contract(kernel, &k.z, &k.x, k.E, k.K) + contract(kernel, &k.z, &k.z, k.S, k.K);
done:
    release(&k);
    return st;
}
