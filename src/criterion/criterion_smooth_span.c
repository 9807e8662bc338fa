/* criterion_smooth_span.c: the span rule of the l2-SVM made smooth (Chapelle, Vapnik, Bousquet & Mukherjee 2002,
 * section 4), for --search gradient: the value has no jumps where rows cross the margin.   docs/math.md, eq. 151
 *
 * Spans are regularised by eta / alpha_i, so that a row counts the less the nearer it is to the margin, and the share
 * of errors is that of rounded steps. eta is that of Chapelle's own program; for both constants see docs/math.md.
 * Held-out outputs, and with them the expected error, are those of `span`. */
#include "leaving.h"
#include "loss/loss.h"
#include "span_slope.h"

static const ny_span_form CHAPELLE = {.soft = 0.1, .steps = true};

static ny_status value_of(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *value) {
    return ny_span_value(ctx, p, x, &CHAPELLE, value);
}

static ny_status gradient(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *out) {
    return ny_span_slope(ctx, p, x, &CHAPELLE, out);
}

static ny_status value(ny_ctx *ctx, void *state, const ny_C_list *list, double *value, double *report) {
    (void)report; /* the same */
    return ny_path_value(ctx, state, list, value_of, value);
}

/* Features of the rows twice, and their products with the inverse factor, for every machine that is at work. */
static ny_cost cost(const ny_size *s) {
    ny_cost path = ny_path_cost(s);
    path.numbers += 3 * s->n * s->m * ny_path_machines(s) / s->together;
    return path;
}

const ny_criterion ny_criterion_smooth_span = {
    .name = "smooth-span",
    .help = "share of errors by the span rule of the l2-SVM, made smooth: what --search gradient can follow",
    .only = &ny_loss_squared_hinge,
    .iterative = &(const ny_iterative){ny_leave_one, NULL, cost},
    .value = &(const ny_own_value){.at = value},
    .gradient = gradient,
};
