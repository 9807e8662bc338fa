/* machines_together.c: see machines_together.h. */
#include "machines_together.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "search/held_error.h"

/* The outputs before `first` leave an expansion, so that it begins with that one. */
static void leave_out(ny_expansion *f, int64_t first) {
    memmove(f->beta, f->beta + first * f->Z.n, (size_t)((f->outputs - first) * f->Z.n) * sizeof *f->beta);
    memmove(f->b, f->b + first, (size_t)(f->outputs - first) * sizeof *f->b);
    f->outputs -= first;
}

/* The first `done` machines, and behind them what there is of a common one, as a list of expansions. */
static ny_status join(ny_ctx *ctx, ny_machine_done *each, int64_t done, ny_solution *s) {
    ny_status st = NY_OK;
    ny_expansion rest = s->f, *at = &s->f;
    bool more = done < rest.outputs;
    if (!done) return NY_OK;
    if (more) leave_out(&rest, done);
    s->f = (ny_expansion){0};
    for (int64_t k = 0; k < done; k++) {
        if (k > 0) NY_NEW(ctx, at->next, 1);
        if (k > 0) at = at->next;
        *at = each[k].best.f;
        each[k].best.f = (ny_expansion){0};
    }
    if (!more) return NY_OK;
    NY_NEW(ctx, at->next, 1);
    *at->next = rest;
    rest = (ny_expansion){0};
done:
    ny_expansion_clear(&rest);
    return st;
}

/* What the value of output k counts among those of all: equally, or of a pair by its rows.    docs/math.md, eq. 35a */
static double share_of(const ny_setup *setup, const ny_rows *rows, int64_t k) {
    double own = 0, all = 0;
    ny_targets y;
    if (ny_criterion_nats(setup->criterion)) return 1;
    if (!ny_setup_pairs(setup)) return 1 / (double)setup->outputs;
    ny_targets_of(setup, rows, k, &y);
    for (int64_t i = 0; i < rows->n; i++) {
        double v = rows->u[i] * rows->u[i];
        all += v;
        if (ny_target(&y, i) != 0) own += v;
    }
    return own / (all * (double)(setup->classes - 1));
}

/* What the machines were found to be, one by one, is what there is to tell of the search. */
static ny_status tell(ny_selection *sel, ny_machine_done *each, int64_t done, ny_record *record) {
    ny_status st = NY_OK;
    ny_outcome *found = &sel->found;
    ny_trial *trial = NULL;
    if (!done) return NY_OK;
    trial = ny_realloc(sel->ctx, found->trial, found->trials, found->trials + done, sizeof *trial);
    if (!trial) return NY_ERR_MEMORY;
    found->trial = trial;
    for (int64_t k = 0; k < done; k++) {
        const ny_machine_done *f = &each[k];
        const ny_solution *s = &f->best;
        found->trial[found->trials++] = (ny_trial){s->f.kernel.kernel,
                                                   s->f.kernel.bandwidth,
                                                   s->C[0],
                                                   s->value,
                                                   s->error,
                                                   s->rows,
                                                   s->landmarks,
                                                   s->rank,
                                                   NAN};
        found->seconds_landmarks += f->seconds / ny_threads();
        if (f->bandwidth_edge) found->bandwidth_edge = f->bandwidth_edge;
        for (int64_t i = 0; i < f->record.notes; i++) {
            bool told = false;
            for (int64_t j = 0; j < record->notes; j++) told |= strcmp(record->note[j], f->record.note[i]) == 0;
            if (!told) NY_TRY(ny_record_note(sel->ctx, record, "%s", f->record.note[i]));
        }
    }
done:
    return st;
}

/* The figures of the first `done` outputs into the solution of all, which has room for them. */
static void take_figures(const ny_selection *sel, const ny_machine_done *each, int64_t done, ny_solution *s) {
    const ny_rows *rows = &sel->rows->all;
    bool exact = true, all = done == sel->setup->outputs;
    if (all) s->value = s->observations = 0;
    for (int64_t k = 0; k < done; k++) {
        const ny_solution *own = &each[k].best;
        s->C[k] = own->C[0];
        if (all) s->value += own->value * share_of(sel->setup, rows, k);
        s->observations += own->observations;
        s->landmarks = own->landmarks > s->landmarks ? own->landmarks : s->landmarks;
        s->rank = own->rank > s->rank ? own->rank : s->rank;
        s->low.kept = fmin(s->low.kept, own->low.kept);
        if (own->C_edge) s->C_edge = own->C_edge;
        s->effort.steps += own->effort.steps;
        s->effort.gap = fmax(s->effort.gap, own->effort.gap);
        if (s->effort.objective && own->effort.objective) s->effort.objective[k] = own->effort.objective[0];
        exact &= each[k].exact;
    }
    if (all) s->asked = exact ? rows->n : s->landmarks;
}

/* Of all machines, before anything is in it. */
static ny_status solution_new(const ny_selection *sel, ny_solution *s) {
    ny_status st = NY_OK;
    int64_t q = sel->setup->outputs;
    *s = (ny_solution){.f = {.outputs = q}, .rows = sel->rows->all.n, .low = {.kept = 1}};
    NY_NEW(sel->ctx, s->C, q);
    if (ny_setup_iterates(sel->setup)) NY_NEW(sel->ctx, s->effort.objective, q);
done:
    return st;
}

ny_status ny_machines_together(ny_selection *sel, const ny_machines_done *m, int64_t done, ny_record *record) {
    ny_status st = NY_OK;
    const ny_rows *rows = &sel->rows->all;
    ny_solution *s = &sel->found.best;
    ny_error_sums sums = {0};
    if (done == sel->setup->outputs) {
        NY_TRY(solution_new(sel, s));
        NY_NEW_RAW(sel->ctx, s->held, ny_size3(rows->n, done, 1));
    }
    for (int64_t k = 0; k < done; k++)
        for (int64_t i = 0, from = 0; i < rows->n; i++, from++) {
            while (from < m->n && m->id[from] != rows->id[i]) from++; /* both are in the same order */
            s->held[i + k * rows->n] = m->held[from + k * m->n];
        }
    take_figures(sel, m->each, done, s);
    NY_TRY(tell(sel, m->each, done, record));
    NY_TRY(join(sel->ctx, m->each, done, s));
    NY_TRY(ny_error_add(sel->ctx, sel->setup, rows, s->held, &sums));
    ny_error_end(sel->setup, &sums, s);
    if (done < sel->setup->outputs && !ny_criterion_nats(sel->setup->criterion)) s->value = s->squared_error;
    s->valid = true;
    ny_contenders_clear(&sel->found.tried); /* of a common machine that is not the model */
    NY_TRY(ny_contenders_add(sel, s));
done:
    return st;
}
