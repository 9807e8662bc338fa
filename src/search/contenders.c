/* contenders.c: the held-out losses of the best machines that the search has tried on all rows. What a choice among
 * them would have been on other rows tells how much better than it is the one that was chosen looks. */
#include "held_error.h"
#include "selection.h"

int64_t ny_units(int64_t n) {
    return n < NY_UNITS ? n : NY_UNITS;
}

int64_t ny_unit(const ny_rows *rows, int64_t i) {
    return (rows->copy && rows->copy[i] >= 0 ? rows->copy[i] : i) % ny_units(rows->n);
}

static ny_status contender_new(ny_ctx *ctx, int64_t units, ny_contender *c) {
    ny_status st = NY_OK;
    NY_NEW(ctx, c->choice, units);
    NY_NEW(ctx, c->loss, units);
done:
    if (st != NY_OK) ny_free(c->choice);
    return st;
}

/* A free place, or that of the worst one if the new one is better; -1: none. */
static int64_t place_for(const ny_tried *t, double value) {
    int64_t worst = 0;
    if (t->count < NY_CONTENDERS) return t->count;
    for (int64_t k = 1; k < t->count; k++)
        if (t->value[k] > t->value[worst]) worst = k;
    return value < t->value[worst] ? worst : -1;
}

ny_status ny_contenders_add(ny_selection *sel, const ny_solution *s) {
    ny_status st = NY_OK;
    ny_tried *t = &sel->found.tried;
    const ny_rows *rows = ny_judged_rows(sel, &sel->rows->all);
    bool by_rows = !sel->passes && !sel->now.stands_in && !ny_criterion_nats(sel->setup->criterion) &&
                   s->rows == sel->rows->all.n && s->held;
    int64_t place = by_rows ? place_for(t, s->value) : -1;
    ny_contender c = {0};
    double *row = NULL;
    if (place < 0) return NY_OK;
    NY_NEW_RAW(sel->ctx, row, 2 * sel->setup->outputs);
    NY_TRY(contender_new(sel->ctx, ny_units(rows->n), &c));
    for (int64_t i = 0; i < rows->n; i++) {
        double v = ny_judged_weight(rows, i);
        ny_row_loss l = ny_loss_of_row(sel->setup, rows, s->held, i, row);
        c.choice[ny_unit(rows, i)] += v * l.own;
        c.loss[ny_unit(rows, i)] += v * l.error;
    }
    if (place < t->count) ny_free(t->machine[place].choice), ny_free(t->machine[place].loss);
    else t->count++;
    t->machine[place] = c;
    t->value[place] = s->value;
done:
    ny_free(row);
    return st;
}

void ny_contenders_clear(ny_tried *t) {
    for (int64_t k = 0; k < t->count; k++) ny_free(t->machine[k].choice), ny_free(t->machine[k].loss);
    *t = (ny_tried){0};
}
