/* posterior.c: see posterior.h. */
#include "posterior.h"

#include <math.h>
#include <string.h>

#include "linalg/linalg.h"

void ny_posterior_clear(ny_posterior *p) {
    ny_free(p->map);
    ny_free(p->mean);
    ny_free(p->diag);
    ny_free(p->off);
    ny_free(p->noise);
    ny_free(p->leverage);
    *p = (ny_posterior){0};
}

void ny_posterior_factor(const ny_posterior *p, const double *C, double *factor) {
    for (int64_t j = 0; j < p->q; j++, factor += 2 * p->r)
        ny_tridiag_factor(p->r, p->diag, p->off, 1 / C[j], factor, factor + p->r);
}

void ny_posterior_sweep(const ny_posterior *p, const double *C, const double *factor, const double *P, int64_t j,
                        double *h) {
    const double *l = factor + 2 * p->r * j;
    if (j == 0 || C[j] != C[j - 1]) ny_tridiag_sweep(p->r, P, l, l + p->r, h);
}

int64_t ny_posterior_scratch(const ny_posterior *p) {
    return NY_SWEEP * (p->r + 2);
}

/* spread noise (share + psi'(T + I/C)^-1 psi + C (kappa - |g|^2)), the last bracket not below 0.     docs/math.md, eq.
 * 54 */
void ny_posterior_variance(const ny_posterior *p, const double *C, const double *factor, const ny_seen_points *points,
                           double *P, double *V) {
    int64_t count = points->count, ldk = points->ldk;
    double *unseen = P + NY_SWEEP * p->r, *h = unseen + NY_SWEEP;
    for (int64_t first = 0; first < count; first += NY_SWEEP) {
        int64_t some = count - first < NY_SWEEP ? count - first : NY_SWEEP;
        memset(P, 0, (size_t)(NY_SWEEP * p->r) * sizeof *P);
        ny_gemm(true, false, some, p->r, p->m, 1.0, points->K + first * ldk, ldk, p->map, p->m, 0.0, P, NY_SWEEP);
        for (int64_t c = 0; c < some; c++) unseen[c] = points->kappa[first + c];
        for (int64_t i = 0; i < p->r; i++)
            for (int64_t c = 0; c < some; c++) {
                double *psi = &P[c + i * NY_SWEEP];
                unseen[c] -= *psi * *psi;
                *psi -= p->mean[i];
            }
        for (int64_t j = 0; j < p->q; j++) {
            ny_posterior_sweep(p, C, factor, P, j, h);
            for (int64_t c = 0; c < some; c++)
                V[j + p->q * (first + c)] = p->spread * p->noise[j] * (p->share + h[c] + C[j] * fmax(unseen[c], 0));
        }
    }
}
