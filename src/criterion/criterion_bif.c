/* criterion_bif.c: cross-validation by the Bouligand influence function (Liu et al. 2018), for any loss.
 *
 * The machine without fold f, to first order in the weight m / (n - m) that its rows lose:      docs/math.md, eq. 83
 *     w_f - w = H^-1 (n sum_f s_i g_i + m w) / (n - m),   s_i = C v_i loss'_i
 * with n and m the weights of all rows and of the fold. The paper's lambda stays fixed, so C on the smaller set is
 * C n / (n - m). Too hopeful where C is large: the curvature H still has the rows that were left out. */
#include "influence.h"
#include "leaving.h"
#include "linalg/linalg.h"

static ny_status leave(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *F) {
    ny_status st = NY_OK;
    const ny_problem *P = p->P;
    ny_leaving l = {0};
    double *scratch = NULL;
    NY_TRY(ny_leaving_new(ctx, p, x, true, 0, &l));
    NY_NEW_RAW(ctx, scratch, ny_size3(P->folds, P->r, 1) + 1);
    ny_leaving_first_order(&l);
    ny_curvature_solve(&l.c, P->folds, l.S, scratch);
    for (int64_t f = 0; f < P->folds; f++) {
        int64_t first = P->fold_start[f], count = P->fold_start[f + 1] - first;
        const double *D = l.S + f * P->r;
        double shift = -ny_dot(P->r, l.c.centre, D) + (P->bias && l.c.k > 0 ? l.beta[f] / l.c.total : 0);
        if (count > 0) ny_gemv(true, P->r, count, 1.0, P->G + first * P->ldg, P->ldg, D, 0.0, F + first);
        for (int64_t i = first; i < first + count; i++) F[i] = x->f[i] + F[i] / P->u[i] + shift;
    }
done:
    ny_leaving_clear(&l);
    ny_free(scratch);
    return st;
}

const ny_criterion ny_criterion_bif = {
    .name = "bif",
    .help = "v-fold cross-validation to first order by influence functions; too hopeful for large C",
    .folds = true,
    .closed = &ny_influence_form,
    .iterative = &(const ny_iterative){leave, NULL, ny_path_cost},
};
