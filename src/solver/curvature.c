/* curvature.c: see curvature.h. */
#include "curvature.h"

#include <math.h>
#include <string.h>

#include "linalg/linalg.h"

enum { BLOCK = 512 }; /* rows of a product */

void ny_curvature_clear(ny_curvature *c) {
    ny_free(c->row);
    ny_free(c->root);
    ny_free(c->centre);
    ny_free(c->L);
    ny_free(c->H);
    ny_free(c->A);
    *c = (ny_curvature){0};
}

void ny_curvature_rows(const ny_curvature *c, const ny_primal *p, int64_t first, int64_t count, double *A) {
    for (int64_t k = 0; k < count; k++) {
        int64_t i = c->row[first + k];
        double root = c->root[first + k], scale = root / p->P->u[i];
        const double *g = p->P->G + i * p->P->ldg;
        for (int64_t a = 0; a < c->r; a++) A[a + k * c->r] = scale * g[a] - root * c->centre[a];
    }
}

/* The active rows, and their weighted mean where there is a bias to take it. */
static ny_status find_active(ny_ctx *ctx, const ny_primal *p, const double *d, ny_curvature *c) {
    ny_status st = NY_OK;
    for (int64_t i = 0; i < p->n; i++) c->k += d[i] > 0;
    NY_NEW_RAW(ctx, c->row, c->k + 1);
    NY_NEW_RAW(ctx, c->root, c->k + 1);
    NY_NEW(ctx, c->centre, c->r);
    for (int64_t i = 0, k = 0; i < p->n; i++) {
        if (!(d[i] > 0)) continue;
        c->row[k] = i;
        c->root[k++] = sqrt(d[i]);
        c->total += d[i];
    }
    for (int64_t k = 0; k < c->k && p->P->bias; k++) {
        const double *g = p->P->G + c->row[k] * p->P->ldg;
        double weight = c->root[k] * c->root[k] / (p->P->u[c->row[k]] * c->total);
        for (int64_t a = 0; a < c->r; a++) c->centre[a] += weight * g[a];
    }
done:
    return st;
}

/* The lower triangle of I + A'A, or of I + A A' by blocks of rows; `more` of its largest diagonal on the diagonal. */
static ny_status gather(ny_ctx *ctx, const ny_primal *p, ny_curvature *c, double more) {
    ny_status st = NY_OK;
    int64_t m = c->dual ? c->k : c->r;
    double *A = NULL, top = 0;
    memset(c->L, 0, (size_t)(m * m) * sizeof *c->L);
    if (c->dual) {
        ny_gram(m, c->r, 1.0, c->A, c->r, 0.0, c->L, m);
    } else {
        NY_NEW_RAW(ctx, A, ny_size3(c->r, BLOCK, 1));
        for (int64_t first = 0; first < c->k; first += BLOCK) {
            int64_t count = c->k - first < BLOCK ? c->k - first : BLOCK;
            ny_curvature_rows(c, p, first, count, A);
            ny_syrk(c->r, count, 1.0, A, c->r, 1.0, c->L, c->r);
        }
    }
    for (int64_t i = 0; i < m; i++) top = fmax(top, c->L[i + i * m]);
    for (int64_t i = 0; i < m; i++) c->L[i + i * m] += 1 + more * top;
done:
    ny_free(A);
    return st;
}

ny_status ny_curvature_make(ny_ctx *ctx, const ny_primal *p, const double *d, bool keep, ny_curvature *c) {
    ny_status st = NY_OK;
    *c = (ny_curvature){.r = p->P->r};
    NY_TRY(find_active(ctx, p, d, c));
    c->dual = c->k < c->r;
    int64_t m = c->dual ? c->k : c->r;
    bool factored = false;
    NY_NEW_RAW(ctx, c->L, ny_size3(m, m, 1) + 1);
    if (c->dual) {
        NY_NEW_RAW(ctx, c->A, ny_size3(c->r, c->k, 1) + 1);
        ny_curvature_rows(c, p, 0, c->k, c->A);
    } else if (keep) {
        NY_NEW_RAW(ctx, c->H, ny_size3(m, m, 1));
    }
    for (double more = 0; !factored && more < 1e-6; more = fmax(100 * more, 1e-14)) { /* where rounding wins: a bit */
        NY_TRY(gather(ctx, p, c, more));
        if (c->H) memcpy(c->H, c->L, (size_t)(m * m) * sizeof *c->H);
        factored = ny_chol(m, c->L, m);
    }
    NY_CHECK(ctx, factored, NY_ERR_NUMERIC,
             "Newton's method broke down: C is too large for the precision of the kernel");
done:
    if (st != NY_OK) ny_curvature_clear(c);
    return st;
}

void ny_curvature_solve(const ny_curvature *c, int64_t columns, double *B, double *scratch) {
    if (!c->dual) {
        ny_chol_solve(c->r, columns, c->L, c->r, B, c->r);
    } else if (c->k > 0) {
        ny_gemm(true, false, c->k, columns, c->r, 1.0, c->A, c->r, B, c->r, 0.0, scratch, c->k);
        ny_chol_solve(c->k, columns, c->L, c->k, scratch, c->k);
        ny_gemm(false, false, c->r, columns, c->k, -1.0, c->A, c->r, scratch, c->k, 1.0, B, c->r);
    }
}
