/* exact_system.c: see exact_system.h. */
#include "exact_system.h"

#include <math.h>
#include <string.h>

#include "linalg/linalg.h"

ny_status ny_system_best_new(ny_ctx *ctx, const ny_system_rows *rows, bool leave_out, ny_system_best *best) {
    ny_status st = NY_OK;
    int64_t n = rows->n, q = rows->q;
    *best = (ny_system_best){0};
    NY_NEW_RAW(ctx, best->loss, q);
    NY_NEW(ctx, best->C, q);
    NY_NEW_RAW(ctx, best->b, q);
    NY_NEW_RAW(ctx, best->alpha, ny_size3(n, q, 1));
    for (int64_t j = 0; j < q; j++) best->loss[j] = INFINITY;
    if (leave_out) NY_NEW_RAW(ctx, best->Q, ny_size3(n, q, 1));
    if (leave_out) NY_NEW_RAW(ctx, best->held, ny_size3(n, q, 1));
done:
    return st;
}

void ny_system_best_clear(ny_system_best *best) {
    ny_free(best->loss);
    ny_free(best->C);
    ny_free(best->b);
    ny_free(best->alpha);
    ny_free(best->Q);
    ny_free(best->held);
    *best = (ny_system_best){0};
}

ny_status ny_system_solve(ny_ctx *ctx, ny_system *system, const ny_system_list *list, ny_system_best *best,
                          double *mean) {
    system->report = (ny_cg_report){0};
    return system->member->solve(ctx, system->state, list, best, mean, &system->report);
}

void ny_system_clear(ny_system *system) {
    if (system->member) system->member->release(system->state);
    system->member = NULL;
    system->state = NULL;
}

int64_t ny_system_values(int64_t q, const double *own, double *C) {
    int64_t count = 0;
    for (int64_t j = 0; j < q; j++) {
        int64_t k = 0;
        while (k < count && C[k] != own[j]) k++;
        if (k == count) C[count++] = own[j];
    }
    return count;
}

bool ny_system_offer(const ny_system_rows *rows, int64_t j, const ny_system_machine *m, ny_system_best *best) {
    int64_t n = rows->n;
    size_t bytes = (size_t)n * sizeof *m->alpha;
    if (m->held && !(m->loss < best->loss[j])) return false;
    best->loss[j] = m->loss;
    best->C[j] = m->C;
    best->b[j] = m->b;
    memcpy(best->alpha + j * n, m->alpha, bytes);
    if (m->held) memcpy(best->Q + j * n, m->Q, bytes);
    if (m->held) memcpy(best->held + j * n, m->held, bytes);
    return true;
}

/* u_i e_i = alpha_i / Q_ii */
double ny_system_leave(const ny_system_rows *rows, int64_t j, const double *alpha, const double *Q, double *held) {
    const int64_t *group = rows->together ? rows->together->group : NULL;
    const double *u = rows->u, *y = rows->Y + j * rows->n;
    double squares = 0;
    for (int64_t i = 0; i < rows->n; i++) {
        bool alone = !group || group[i] < 0;
        if (alone) held[i] = (y[i] - alpha[i] / Q[i]) / u[i];
        double e = alone ? alpha[i] / Q[i] : y[i] - u[i] * held[i];
        squares += e * e;
    }
    return squares / ny_dot(rows->n, u, u);
}
