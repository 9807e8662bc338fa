/* leave_folds.c: cross-validation for any loss by training without each fold, from the machine of all rows on. */
#include <string.h>

#include "base/threads.h"
#include "leaving.h"

static const double TOL = 1e-12;

typedef struct {
    ny_ctx *ctx;
    const ny_primal *p;
    const ny_machine_point *x;
    double *F;
    ny_status *status; /* folds */
} job;

/* F of rows from .. from + rows: what the machine says of them that has not seen rows first .. first + count. */
static ny_status leave_fold(const job *b, int64_t first, int64_t count, int64_t from, int64_t rows) {
    ny_status st = NY_OK;
    double *v = NULL;
    ny_machine_point x = {0};
    NY_TRY(ny_point_copy(b->ctx, b->p, b->x, &x));
    NY_NEW_RAW(b->ctx, v, b->p->n);
    ny_primal without = ny_primal_without(b->p, first, count, v);
    NY_TRY(ny_newton(b->ctx, &without, TOL, &x));
    memcpy(b->F + from, x.f + from, (size_t)rows * sizeof *b->F);
done:
    ny_free(v);
    ny_point_clear(&x);
    return st;
}

static void tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    job *b = arg;
    const int64_t *start = b->p->P->fold_start;
    for (int64_t f = first; f < first + count; f++) {
        int64_t size = start[f + 1] - start[f];
        if (size > 0) b->status[f] = leave_fold(b, start[f], size, start[f], size);
    }
}

ny_status ny_leave_folds(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *F) {
    ny_status st = NY_OK;
    job b = {ctx, p, x, F, NULL};
    NY_NEW(ctx, b.status, p->P->folds);
    ny_for_tiles(p->P->folds, 1, tile, &b);
    for (int64_t f = 0; f < p->P->folds && st == NY_OK; f++) st = b.status[f];
done:
    ny_free(b.status);
    return st;
}

ny_status ny_leave_second_fold(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *F) {
    job b = {ctx, p, x, F, NULL};
    int64_t first = p->P->fold_start[1];
    if (p->P->judged_only) { /* it has not seen them anyway */
        memcpy(F, x->f, (size_t)p->n * sizeof *F);
        return NY_OK;
    }
    return leave_fold(&b, first, p->n - first, 0, p->n);
}
