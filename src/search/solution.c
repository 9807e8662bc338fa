/* solution.c: see solution.h. */
#include "solution.h"

#include <math.h>

void ny_solution_clear(ny_solution *s) {
    ny_free(s->C);
    ny_expansion_clear(&s->f);
    ny_matrix_clear(&s->low.apart);
    ny_free(s->low.weight);
    ny_matrix_clear(&s->low.redundant);
    ny_free(s->level);
    ny_free(s->held);
    ny_free(s->effort.objective);
    ny_posterior_clear(&s->posterior);
    ny_free(s->unseen);
    ny_free(s->fold_beta);
    ny_free(s->fold_b);
    *s = (ny_solution){0};
}

ny_solution ny_solution_take(ny_solution *from) {
    ny_solution moved = *from;
    *from = (ny_solution){0};
    return moved;
}

ny_landmarks ny_solution_landmarks(const ny_solution *s) {
    return (ny_landmarks){
        .Z = s->low.apart.n ? s->low.apart : s->f.Z, .weight = s->low.weight, .redundant = s->low.redundant};
}

/* A negative log probability V of N observations becomes exp(2 V / N), which is on the scale of a squared error: V of
 * Gaussian residuals is N/2 log(their mean square) and a constant. Its standard error is that of a mean square. */
double ny_goal(const ny_setup *setup, const ny_solution *s) {
    double own = ny_setup_C_on_error(setup) && !ny_setup_on_error(setup) ? s->least : s->value;
    double value = ny_criterion_nats(setup->criterion) ? exp(2 * own / s->observations) : own;
    return ny_setup_on_error(setup) ? s->error + 1e-6 * value / (1 + value) : value;
}

double ny_goal_error(const ny_setup *setup, const ny_solution *s) {
    if (ny_setup_on_error(setup)) return s->std_error;
    return ny_criterion_nats(setup->criterion) ? ny_goal(setup, s) * sqrt(2 / (double)s->rows) : s->value_error;
}
