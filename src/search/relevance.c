/* relevance.c: see relevance.h.
 *
 *     scales -> kappa(Z,Z) = L L', G = L^-1 kappa(Z,X) -> J            and back:
 *     dJ/dG -> dJ/dkappa(Z,X) = L'^-1 dJ/dG,  dJ/dkappa(Z,Z) = -1/2 L'^-1 (dJ/dG G') L^-1 -> dJ/dlog scale */
#include "relevance.h"

#include <string.h>

#include "criterion/gradient.h"
#include "kernel/differences.h"
#include "linalg/linalg.h"
#include "solver/bias.h"

static const double JITTER = 1e-8; /* of the mean of kappa(z,z), added to it: landmarks may become alike */

typedef struct {
    int64_t n, m, d;
    ny_matrix X, Z; /* scaled */
    ny_kernel_side x, z;
    double *L;     /* m x m */
    double *S;     /* m x m */
    double *G;     /* m x n: features; then slopes of the kernel */
    double *Gamma; /* m x n: dJ/dG, dJ/dkappa(Z,X) */
    double *diag;  /* n: kappa(x_i,x_i) */
    double *P;     /* d x m */
    double *sums;  /* n + m */
    double *by;    /* d: dJ / dlog scale of each input */
} work;

void ny_relevance_clear(ny_relevance *r) {
    ny_matrix_clear(&r->X);
    ny_matrix_clear(&r->Z);
    ny_free(r->u);
    ny_free(r->Y);
    *r = (ny_relevance){0};
}

static void release(work *k) {
    ny_kernel_release(&k->x);
    ny_kernel_release(&k->z);
    ny_matrix_clear(&k->X);
    ny_matrix_clear(&k->Z);
    double *list[] = {k->L, k->S, k->G, k->Gamma, k->diag, k->P, k->sums, k->by};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) ny_free(list[i]);
}

static ny_status reserve(ny_ctx *ctx, work *k) {
    ny_status st = NY_OK;
    NY_NEW_RAW(ctx, k->L, k->m * k->m);
    NY_NEW_RAW(ctx, k->S, k->m * k->m);
    NY_NEW_RAW(ctx, k->G, k->m * k->n);
    NY_NEW_RAW(ctx, k->Gamma, k->m * k->n);
    NY_NEW_RAW(ctx, k->diag, k->n);
    NY_NEW_RAW(ctx, k->P, k->d * k->m);
    NY_NEW_RAW(ctx, k->sums, k->n + k->m);
    NY_NEW(ctx, k->by, k->d);
done:
    return st;
}

static ny_status scaled(ny_ctx *ctx, const ny_relevance *r, const ny_matrix *from, const double *scale, ny_matrix *to) {
    ny_status st = ny_matrix_copy(ctx, from, to);
    for (int64_t i = 0; st == NY_OK && i < to->n; i++)
        for (int64_t j = 0; j < to->d; j++) to->x[j + i * to->d] *= scale[r->column[j]];
    return st;
}

/* L and G. */
static ny_status features(ny_ctx *ctx, const ny_kernel_params *kernel, work *k) {
    ny_status st = NY_OK;
    int64_t m = k->m;
    double mean = 0;
    ny_kernel_matrix(kernel, &k->z, &k->z, false, k->L, m);
    for (int64_t j = 0; j < m; j++) mean += k->L[j + j * m] / (double)m;
    for (int64_t j = 0; j < m; j++) k->L[j + j * m] += JITTER * mean;
    NY_CHECK(ctx, ny_chol(m, k->L, m), NY_ERR_NUMERIC, "the kernel matrix of the landmarks is not positive definite");
    ny_kernel_matrix(kernel, &k->z, &k->x, false, k->G, m);
    ny_trsm(false, m, k->n, k->L, m, k->G, m);
done:
    return st;
}

/* S = dJ/dkappa(Z,Z) from S = dJ/dG G', which is symmetric, as J depends on G'G only.                     (eq. 69) */
static void landmark_part(work *k) {
    int64_t m = k->m;
    double trace = 0;
    ny_gemm(false, true, m, m, k->n, -0.5, k->Gamma, m, k->G, m, 0.0, k->S, m);
    for (int side = 0; side < 2; side++) {
        ny_trsm(true, m, m, k->L, m, k->S, m);
        for (int64_t j = 0; j < m; j++)
            for (int64_t i = 0; i < j; i++) {
                double t = k->S[i + j * m];
                k->S[i + j * m] = k->S[j + i * m];
                k->S[j + i * m] = t;
            }
    }
    for (int64_t j = 0; j < m; j++) trace += k->S[j + j * m];
    for (int64_t j = 0; j < m; j++) k->S[j + j * m] += JITTER * trace / (double)m;
}

/* by_c += q sum_ki E_ki |x_c - z_c|^q. */
static void separable_part(work *k, ny_kernel_base base, const ny_matrix *X, const double *E) {
    double *sums = k->P; /* d of its d x m numbers */
    memset(sums, 0, (size_t)k->d * sizeof *sums);
    ny_differences_by_input(base, &k->Z, X, E, sums);
    for (int64_t c = 0; c < k->d; c++) k->by[c] += ny_base_order(base) * sums[c];
}

/* by_c += sum_ki E_ki dv_ki / dlog a_c, where E = dJ/dkappa times the kernel's slope and
 *     v = |x - z|^2:   dv / dlog a_c = 2 (x_c - z_c)^2,        v = x'z:   dv / dlog a_c = 2 x_c z_c
 * in scaled inputs; for all inputs at once from the sums of E over either side and X E'.                  (eq. 71)
 *     v = sum_c |x_c - z_c|^q:   dv / dlog a_c = q |x_c - z_c|^q */
static void contract(work *k, const ny_kernel_params *kernel, const ny_matrix *X, const double *E) {
    int64_t m = k->m, d = k->d, n = X->n;
    bool distance = kernel->kernel->base == NY_BASE_SQDIST;
    double *rows = k->sums, *landmarks = k->sums + k->n;
    if (!distance && kernel->kernel->base != NY_BASE_DOT) {
        separable_part(k, kernel->kernel->base, X, E);
        return;
    }
    ny_gemm(false, true, d, m, n, distance ? -2.0 : 1.0, X->x, d, E, m, 0.0, k->P, d);
    for (int64_t j = 0; j < m; j++)
        for (int64_t c = 0; c < d; c++) k->by[c] += 2 * k->P[c + j * d] * k->Z.x[c + j * d];
    if (!distance) return;
    memset(landmarks, 0, (size_t)m * sizeof *landmarks);
    for (int64_t i = 0; i < n; i++) {
        rows[i] = 0;
        for (int64_t j = 0; j < m; j++) rows[i] += E[j + i * m], landmarks[j] += E[j + i * m];
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < d; c++) k->by[c] += 2 * rows[i] * X->x[c + i * d] * X->x[c + i * d];
    for (int64_t j = 0; j < m; j++)
        for (int64_t c = 0; c < d; c++) k->by[c] += 2 * landmarks[j] * k->Z.x[c + j * d] * k->Z.x[c + j * d];
}

/* Inner products: kappa(x_i,x_i) moves too. by_c += dJ/dtrace sum_i u_i^2 slope(|x_i|^2) 2 x_ci^2          (eq. 72) */
static void diagonal_part(const ny_relevance *r, double by_trace, work *k) {
    if (r->kernel.kernel->base != NY_BASE_DOT || by_trace == 0) return;
    memcpy(k->diag, k->x.norms, (size_t)k->n * sizeof *k->diag);
    r->kernel.kernel->slope(k->diag, k->n, &r->kernel);
    for (int64_t i = 0; i < k->n; i++)
        for (int64_t c = 0; c < k->d; c++) {
            double x = r->u[i] * k->X.x[c + i * k->d];
            k->by[c] += by_trace * k->diag[i] * 2 * x * x;
        }
}

/* The criterion and dJ/dG. A penalised bias is one more feature, which no scale moves: G and its derivative have a row
 * more on the way. */
static ny_status judge(ny_ctx *ctx, const ny_relevance *r, work *k, ny_gradient *g) {
    ny_status st = NY_OK;
    int64_t m = k->m, n = k->n, more = g->r - m;
    double *G = NULL, *Gamma = NULL;
    if (!more) return ny_gradient_make(ctx, g);
    NY_NEW_RAW(ctx, G, ny_size3(g->r, n, 1));
    NY_NEW_RAW(ctx, Gamma, ny_size3(g->r, n, 1));
    for (int64_t i = 0; i < n; i++) {
        memcpy(G + i * g->r, k->G + i * m, (size_t)m * sizeof *G);
        G[m + i * g->r] = ny_bias_feature(r->rho);
        g->trace += r->u[i] * r->u[i] * ny_bias_kernel(r->rho);
    }
    g->G = G;
    g->Gamma = Gamma;
    NY_TRY(ny_gradient_make(ctx, g));
    for (int64_t i = 0; i < n; i++) memcpy(k->Gamma + i * m, Gamma + i * g->r, (size_t)m * sizeof *G);
done:
    ny_free(G);
    ny_free(Gamma);
    return st;
}

ny_status ny_relevance_value(ny_ctx *ctx, const ny_relevance *r, const double *scale, double C, double *value,
                             double *gradient) {
    ny_status st = NY_OK;
    work k = {.n = r->X.n, .m = r->Z.n, .d = r->X.d};
    NY_TRY(reserve(ctx, &k));
    NY_TRY(scaled(ctx, r, &r->X, scale, &k.X));
    NY_TRY(scaled(ctx, r, &r->Z, scale, &k.Z));
    NY_TRY(ny_kernel_prepare(ctx, &k.X, false, &k.x));
    NY_TRY(ny_kernel_prepare(ctx, &k.Z, false, &k.z));
    NY_TRY(features(ctx, &r->kernel, &k));
    ny_gradient g = {.r = k.m + (ny_bias_kernel(r->rho) > 0),
                     .n = k.n,
                     .q = r->q,
                     .bias = r->rho == 0,
                     .evidence = r->evidence,
                     .G = k.G,
                     .u = r->u,
                     .Y = r->Y,
                     .C = C,
                     .Gamma = k.Gamma};
    ny_kernel_diagonal(&r->kernel, &k.x, k.diag);
    for (int64_t i = 0; i < k.n; i++) g.trace += r->u[i] * r->u[i] * k.diag[i];
    NY_TRY(judge(ctx, r, &k, &g));
    landmark_part(&k);
    ny_trsm(true, k.m, k.n, k.L, k.m, k.Gamma, k.m);
    ny_kernel_matrix(&r->kernel, &k.z, &k.x, true, k.G, k.m);
    for (int64_t i = 0; i < k.m * k.n; i++) k.Gamma[i] *= k.G[i];
    contract(&k, &r->kernel, &k.X, k.Gamma);
    ny_kernel_matrix(&r->kernel, &k.z, &k.z, true, k.L, k.m);
    for (int64_t i = 0; i < k.m * k.m; i++) k.S[i] *= k.L[i];
    for (int64_t i = 0; r->kernel.kernel->base != NY_BASE_DOT && i < k.m; i++) k.S[i + i * k.m] = 0; /* times 0 */
    contract(&k, &r->kernel, &k.Z, k.S);
    diagonal_part(r, g.by_trace, &k);
    *value = g.value;
    memset(gradient, 0, (size_t)r->columns * sizeof *gradient);
    for (int64_t c = 0; c < k.d; c++) gradient[r->column[c]] += k.by[c];
    gradient[r->columns] = g.by_log_C;
done:
    release(&k);
    return st;
}
