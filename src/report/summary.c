/* summary.c: what was chosen and what to expect of it, in the few lines a person reads after training. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "model/record.h"
#include "solver/machine.h"

/* The file's own name: folders only push the numbers off the line. */
static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void add_title(ny_lines *t, const ny_model *model) {
    const ny_record *r = model->record;
    const char *machine = ny_options_get(model->options, "machine");
    ny_lines_add(t, "%s, ", machine ? machine : "kernel machine");
    if (model->f.next) ny_lines_add(t, "machines of their own: ");
    else ny_lines_add(t, "%s kernel: ", model->f.kernel.kernel->name);
    if (model->classes > 0) ny_lines_add(t, "%lld-class model", (long long)model->classes);
    else ny_lines_add(t, "regression model");
    if (r->source && *r->source) ny_lines_add(t, " of %s", base_name(r->source));
    ny_lines_add(t, " (%lld row%s, %lld input%s)\n", (long long)r->rows, r->rows == 1 ? "" : "s", (long long)r->inputs,
                 r->inputs == 1 ? "" : "s");
}

static void add_kernel(ny_lines *t, const ny_kernel_params *p) {
    if (!p->kernel->has_bandwidth) return;
    ny_lines_add(t, "  bandwidth       %s", ny_say_number(p->bandwidth).text);
    if (p->kernel->gamma_libsvm)
        ny_lines_add(t, "   (LIBSVM gamma %s)", ny_say_number(p->kernel->gamma_libsvm(p)).text);
    ny_lines_add(t, "\n");
}

typedef struct extent {
    double lo, hi;
} extent;

static extent widen(extent s, double v) {
    return isfinite(v) ? (extent){fmin(s.lo, v), fmax(s.hi, v)} : s;
}

static void add_range(ny_lines *t, const char *name, double lo, double hi) {
    ny_lines_add(t, "%s %s", name, ny_say_number(lo).text);
    if (hi > lo) ny_lines_add(t, " to %s", ny_say_number(hi).text);
}

/* Several machines: how many have which kernel, and from where to where their bandwidths go. */
static void add_machines(ny_lines *t, const ny_model *model) {
    const ny_kernel *kernel;
    extent bandwidth = {INFINITY, -INFINITY};
    ny_lines_add(t, "  kernels         ");
    for (int64_t c = 0, told = 0; (kernel = ny_kernel_at(c)); c++) {
        int64_t count = 0;
        for (const ny_expansion *f = &model->f; f; f = f->next) count += f->kernel.kernel == kernel ? f->outputs : 0;
        if (count) ny_lines_add(t, "%s%s (%lld)", told++ ? ", " : "", kernel->name, (long long)count);
    }
    for (const ny_expansion *f = &model->f; f; f = f->next)
        if (f->kernel.kernel->has_bandwidth) bandwidth = widen(bandwidth, f->kernel.bandwidth);
    ny_lines_add(t, "\n");
    if (bandwidth.hi > 0)
        ny_lines_add(t, "  bandwidth       %s to %s\n", ny_say_number(bandwidth.lo).text,
                     ny_say_number(bandwidth.hi).text);
}

/* The points of several machines. */
static void add_points(ny_lines *t, const ny_model *model) {
    int64_t lo = INT64_MAX, hi = 0;
    for (const ny_expansion *f = &model->f; f; f = f->next) {
        if (f->Z.n < lo) lo = f->Z.n;
        if (f->Z.n > hi) hi = f->Z.n;
    }
    ny_lines_add(t, "  landmarks       %lld", (long long)lo);
    if (hi > lo) ny_lines_add(t, " to %lld", (long long)hi);
    ny_lines_add(t, " for each machine%s\n", model->record->origin.exact ? ", all its rows: the exact one" : "");
}

static void add_C(ny_lines *t, const ny_model *model) {
    extent C = {INFINITY, -INFINITY};
    int64_t outputs = ny_model_outputs(model);
    for (int64_t j = 0; j < outputs; j++) C = widen(C, model->C[j]);
    add_range(t, "  C              ", C.lo, C.hi);
    if (C.hi > C.lo) ny_lines_add(t, "   (one for each of %lld outputs)", (long long)outputs);
    ny_lines_add(t, "\n");
}

/* As many digits as show what is missing: 96.6%, 99.97%, 99.9996%. */
static ny_word say_share(double share) {
    ny_word w;
    double lost = 100 * (1 - share);
    int digits = lost > 0 ? (int)ceil(-log10(lost)) : 9;
    if (digits > 8) snprintf(w.text, sizeof w.text, "100%%");
    else snprintf(w.text, sizeof w.text, "%.*f%%", digits < 1 ? 1 : digits, 100 * share);
    return w;
}

static void add_landmarks(ny_lines *t, const ny_record *r, bool smallest) {
    const ny_origin *o = &r->origin;
    bool kept = !o->exact && isfinite(o->kernel_kept); /* models of older versions do not know it */
    if (o->exact) ny_lines_add(t, "  landmarks       all %lld rows: the exact machine", (long long)r->rows);
    else ny_lines_add(t, "  landmarks       %lld of %lld rows", (long long)o->landmarks, (long long)r->rows);
    if (o->rank < o->landmarks && !kept) ny_lines_add(t, ", rank %lld", (long long)o->rank);
    if (kept)
        ny_lines_add(t, "\n  rank            %lld of %lld%s keeps %s of the kernel's trace", (long long)o->rank,
                     (long long)o->landmarks, smallest ? " (smallest within one standard error)" : " landmarks",
                     say_share(o->kernel_kept).text);
    ny_lines_add(t, "\n");
}

/* Where it is not the usual one. */
static void add_scale(ny_lines *t, const ny_model *model) {
    const ny_origin *o = &model->record->origin;
    int64_t bent = ny_bend_count(&model->bend);
    if (!o->scale || strcmp(o->scale, "standard") == 0) return;
    ny_lines_add(t, "  scale           %s", o->scale);
    if (bent) ny_lines_add(t, ": %lld of %lld inputs bent", (long long)bent, (long long)model->schema.inputs);
    if (bent && o->rank_error > 0) ny_lines_add(t, ", ranks within %s%%", ny_say_number(100 * o->rank_error).text);
    ny_lines_add(t, "\n");
}

/* Where --bias says it: a free bias goes without saying, and so does that krr has none. */
static void add_bias(ny_lines *t, const ny_options *o) {
    if (o->bias == NY_BIAS_PENALISED)
        ny_lines_add(t, "  bias            penalised, by %s times half its square\n",
                     ny_say_number(o->bias_penalty).text);
    if (o->bias == NY_BIAS_NONE) ny_lines_add(t, "  bias            none\n");
}

/* What the loss measures errors by, where the data said it, or which quantiles it is of. */
static void add_loss(ny_lines *t, const ny_model *model) {
    enum { SHOWN = 9 };
    const ny_options *o = model->options;
    const ny_machine *machine = ny_machine_find(o->machine); /* NULL: of another version */
    const ny_loss_level *level = machine ? &machine->loss->level : NULL;
    const ny_measures *m = &model->record->loss;
    if (m->known && level && level->asked && isnan(level->asked(o)))
        ny_lines_add(t, "  %-15s %s   (%s)\n", level->option, ny_say_number(m->level).text, level->told);
    if (!model->quantiles) return;
    ny_lines_add(t, "  quantiles       ");
    for (int64_t j = 0; j < model->f.outputs && j < SHOWN; j++)
        ny_lines_add(t, "%s%.10g", j ? ", " : "", model->quantiles[j]);
    ny_lines_add(t, "%s\n", model->f.outputs > SHOWN ? " ..." : "");
}

static void add_solver(ny_lines *t, const ny_record *r) {
    const ny_solver *s = &r->solver;
    const ny_descent *d = &r->descent;
    if (d->known)
        ny_lines_add(t, "  solver          newton: %lld step%s, duality gap %s of the objective\n", (long long)d->steps,
                     d->steps == 1 ? "" : "s", ny_say_number(d->gap).text);
    if (!s->known) return;
    ny_lines_add(t, "  solver          cg: exact on all %lld rows, %lld iteration%s, residual %s%s%s\n",
                 (long long)r->rows, (long long)s->iterations, s->iterations == 1 ? "" : "s",
                 ny_say_number(s->residual).text, isfinite(s->seconds) ? ", " : "",
                 isfinite(s->seconds) ? ny_say_seconds(s->seconds).text : "");
}

typedef struct ranked {
    double relevance;
    int64_t column;
} ranked;

static int most_relevant(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->relevance != y->relevance) return x->relevance > y->relevance ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static void add_dropped(ny_lines *t, const ny_record *r, int64_t dropped) {
    enum { NAMED = 12 };
    int64_t named = 0;
    ny_lines_add(t, "  dropped         %lld of %lld columns: ", (long long)dropped, (long long)r->columns);
    for (int64_t c = 0; c < r->columns && named < NAMED; c++)
        if (!r->column[c].kept) ny_lines_add(t, "%s%s", named++ ? ", " : "", r->column[c].name);
    ny_lines_add(t, "%s\n", dropped > named ? " ... (--json has all)" : "");
}

/* What weights for the columns are worth, and whether the model has them. */
static void add_metric(ny_lines *t, const ny_weighing *w) {
    if (!w->known || !w->used) return;
    ny_lines_add(t, "  metric          weights of the inputs: %s (leave-one-out of %lld rows: equal %s, by slopes %s",
                 w->used, (long long)w->rows, ny_say_number(w->equal).text, ny_say_number(w->slopes).text);
    if (!isnan(w->evidence)) ny_lines_add(t, ", by evidence %s", ny_say_number(w->evidence).text);
    ny_lines_add(t, ")\n");
}

/* The most relevant columns, one in a line, and which were dropped. */
static void add_relevance(ny_lines *t, const ny_record *r) {
    enum { SHOWN = 18 };
    int64_t kept = 0;
    if (!r->columns) return;
    ranked *order = ny_alloc(t->ctx, r->columns, sizeof *order);
    t->failed |= !order;
    for (int64_t c = 0; order && c < r->columns; c++)
        if (r->column[c].kept) order[kept++] = (ranked){r->column[c].relevance, c};
    if (order) qsort(order, (size_t)kept, sizeof *order, most_relevant);
    for (int64_t k = 0; order && k < kept && k < SHOWN; k++)
        ny_lines_add(t, "  %-15s %-8s %s\n", k ? "" : "relevance", ny_say_number(order[k].relevance).text,
                     r->column[order[k].column].name);
    if (kept > SHOWN) ny_lines_add(t, "  %-15s and %lld more columns\n", "", (long long)(kept - SHOWN));
    if (kept < r->columns) add_dropped(t, r, r->columns - kept);
    ny_free(order);
}

static bool is_evidence(const ny_record *r) {
    return r->criterion && strncmp(r->criterion, "evidence", 8) == 0;
}

/* What errors of the record are. */
static const char *error_name(const ny_model *model) {
    return model->classes ? "error" : model->quantiles ? "pinball loss" : "RMSE";
}

/* How the held-out outputs came about. */
static void add_held(ny_lines *t, const ny_model *model) {
    const ny_record *r = model->record;
    const char *criterion = r->criterion ? r->criterion : "";
    bool squared = ny_machine_squared(ny_machine_find(model->options->machine));
    if (strcmp(criterion, "holdout") == 0) {
        if (model->options->fold_file[0]) ny_lines_add(t, "   (hold-out, the second fold)");
        else if (model->options->validation.file) ny_lines_add(t, "   (hold-out, %s)", model->options->validation.file);
        else ny_lines_add(t, "   (hold-out, %.3g%% of the rows)", 100 * model->options->validation.share);
    } else if (strcmp(criterion, "bif") == 0 || strcmp(criterion, "fbif") == 0)
        squared ? ny_lines_add(t, "   (leave-one-out; %s of %lld folds chose)", criterion, (long long)r->folds)
                : ny_lines_add(t, "   (%lld-fold, first order)", (long long)r->folds);
    else if (r->folds > 0)
        ny_lines_add(t, "   (%lld-fold cross-validation%s)", (long long)r->folds,
                     strcmp(criterion, "newton") == 0 ? " by Newton steps" : "");
    else if (strcmp(criterion, "loo") == 0 || is_evidence(r))
        ny_lines_add(t, "   (leave-one-out%s)", squared ? "" : " by Newton steps");
    else if (strcmp(criterion, "span") == 0 || strcmp(criterion, "smooth-span") == 0 ||
             strcmp(criterion, "radius-margin") == 0)
        ny_lines_add(t, "   (leave-one-out by the span rule)");
    else if (*criterion) ny_lines_add(t, "   (%s)", criterion);
    ny_lines_add(t, "\n");
}

static ny_word say_error(const ny_model *model, double error) {
    return model->classes ? ny_say_percent(error) : ny_say_number(error);
}

/* What always saying the same would cost. A note tells where the model is no better. */
static void add_baseline(ny_lines *t, const ny_model *model) {
    const ny_expected *e = &model->record->expected;
    double r2 = ny_expected_r2(model);
    if (isfinite(e->plain_error))
        ny_lines_add(t, "  plain error     %s   (without class weights)\n", ny_say_percent(e->plain_error).text);
    if (!isfinite(e->baseline_error)) return;
    ny_lines_add(t, "  baseline        %s   (", say_error(model, e->baseline_error).text);
    ny_lines_baseline(t, model->classes ? ny_baseline_name(model) : NULL, model->quantiles ? "quantiles" : "mean");
    if (isfinite(r2)) ny_lines_add(t, "; R^2 %s", ny_say_number(r2).text);
    ny_lines_add(t, ")\n");
}

/* What level 2 of the evidence infers. */
static void add_level_2(ny_lines *t, const ny_record *r) {
    if (!r->levels) return;
    ny_inferred lo = r->level[0], hi = lo;
    for (int64_t j = 1; j < r->levels; j++) {
        const ny_inferred *l = &r->level[j];
        lo.mu = fmin(lo.mu, l->mu), hi.mu = fmax(hi.mu, l->mu);
        lo.zeta = fmin(lo.zeta, l->zeta), hi.zeta = fmax(hi.zeta, l->zeta);
        lo.gamma_eff = fmin(lo.gamma_eff, l->gamma_eff), hi.gamma_eff = fmax(hi.gamma_eff, l->gamma_eff);
        hi.log_mu_stderr = fmax(hi.log_mu_stderr, l->log_mu_stderr);
        hi.log_zeta_stderr = fmax(hi.log_zeta_stderr, l->log_zeta_stderr);
    }
    add_range(t, "  level 2         mu", lo.mu, hi.mu);
    add_range(t, ", zeta", lo.zeta, hi.zeta);
    add_range(t, ", effective parameters", lo.gamma_eff, hi.gamma_eff);
    ny_lines_add(t, "   (log mu +- %s, log zeta +- %s%s)\n", ny_say_number(hi.log_mu_stderr).text,
                 ny_say_number(hi.log_zeta_stderr).text, r->levels > 1 ? " at most" : "");
}

static void add_expected(ny_lines *t, const ny_model *model) {
    const ny_expected *e = &model->record->expected;
    if (!isfinite(e->error)) return;
    bool weighted = isfinite(e->plain_error);
    ny_lines_add(t, weighted ? "  weighted %-5s  %s" : "  expected %-5s  %s", error_name(model),
                 say_error(model, e->error).text);
    if (isfinite(e->error_upper))
        ny_lines_add(t, ", 95%%: %s to %s", say_error(model, e->error_lower).text,
                     say_error(model, e->error_upper).text);
    else if (isfinite(e->std_error)) ny_lines_add(t, " +- %s", say_error(model, e->std_error).text);
    add_held(t, model);
    add_baseline(t, model);
    if (is_evidence(model->record)) ny_lines_add(t, "  log evidence    %s\n", ny_say_number(-e->value).text);
    add_level_2(t, model->record);
}

/* One line for each criterion: what it says of this machine, and the C that it would have taken. */
static void add_comparison(ny_lines *t, const ny_model *model) {
    const ny_record *r = model->record;
    bool classes = model->classes > 0;
    if (r->comparisons == 0) return;
    const char *name = model->quantiles ? "pinball" : error_name(model);
    ny_lines_add(t, "  %-16s%14s%12s%14s%8s there\n", "criteria", "value", name, "C preferred", name);
    for (int64_t i = 0; i < r->comparisons; i++) {
        const ny_comparison *c = &r->comparison[i];
        ny_lines_add(t, "    %-14s%14s%12s%14s%14s\n", c->criterion, ny_say_number(c->value).text,
                     classes ? ny_say_percent(c->error).text : ny_say_number(c->error).text,
                     ny_say_number(c->best_C).text,
                     classes ? ny_say_percent(c->best_error).text : ny_say_number(c->best_error).text);
    }
}

/* The noise and the prior, which the error above is for. */
static void add_confidence(ny_lines *t, const ny_model *model) {
    enum { SHOWN = 6 };
    if (model->error_size)
        ny_lines_add(t, "  noise           standard deviation %s   (predict --interval adds how sure the model is)\n",
                     ny_say_number(sqrt(model->posterior.noise[0])).text);
    if (!model->prior) return;
    ny_lines_add(t, "  prior           ");
    for (int64_t k = 0; k < model->classes && k < SHOWN; k++)
        ny_lines_add(t, "%s%s %s", k > 0 ? ", " : "", model->label[k], ny_say_percent(model->prior[k]).text);
    ny_lines_add(t, "%s   (the expected error is for these)\n", model->classes > SHOWN ? " ..." : "");
}

static void add_extent(ny_lines *t, const char *name, extent s) {
    if (s.lo < s.hi) ny_lines_add(t, ", %s %s to %s", name, ny_say_number(s.lo).text, ny_say_number(s.hi).text);
}

static void add_tried(ny_lines *t, const ny_record *r, bool has_bandwidth) {
    if (r->evaluations == 0) return;
    extent bandwidth = {INFINITY, -INFINITY}, C = bandwidth;
    for (int64_t i = 0; i < r->evaluations; i++) {
        if (has_bandwidth) bandwidth = widen(bandwidth, r->evaluation[i].bandwidth);
        C = widen(C, r->evaluation[i].C);
    }
    ny_lines_add(t, "  tried           %lld point%s", (long long)r->evaluations, r->evaluations == 1 ? "" : "s");
    add_extent(t, "bandwidth", bandwidth);
    add_extent(t, "C", C);
    ny_lines_add(t, "%s\n", r->stopped ? "   (stopped early)" : "");
}

static void add_cost(ny_lines *t, const ny_spent *s) {
    if (!isfinite(s->seconds_total)) return; /* models from files do not tell */
    ny_lines_add(t, "  time            %s: read %.2f, scale %.2f, landmarks %.2f, select %.2f, train %.2f\n",
                 ny_say_seconds(s->seconds_total).text, s->seconds_read, s->seconds_scale, s->seconds_landmarks,
                 s->seconds_select, s->seconds_train);
    if (s->peak_bytes <= 0) return;
    ny_lines_add(t, "  memory          %s", ny_say_bytes(s->peak_bytes).text);
    if (s->predicted_bytes > 0) ny_lines_add(t, "   (predicted %s)", ny_say_bytes(s->predicted_bytes).text);
    ny_lines_add(t, "\n");
}

static void add_notes(ny_lines *t, const ny_record *r) {
    enum { SHOWN = 8 }; /* the summary stays short; the JSON has them all */
    int64_t shown = r->notes <= SHOWN ? r->notes : SHOWN - 1;
    for (int64_t i = 0; i < shown; i++) ny_lines_add(t, "note: %s\n", r->note[i]);
    if (shown < r->notes) ny_lines_add(t, "note: %lld more in the JSON report\n", (long long)(r->notes - shown));
}

ny_status ny_model_summary(ny_ctx *ctx, const ny_model *model, char **text) {
    NY_NEEDS(ctx, ctx && model && text, "a context, a model and a place for the text");
    ny_lines t = {.ctx = ctx};
    add_title(&t, model);
    if (model->f.next) add_machines(&t, model);
    else add_kernel(&t, &model->f.kernel);
    add_C(&t, model);
    add_bias(&t, model->options);
    if (model->f.next) add_points(&t, model);
    else add_landmarks(&t, model->record, model->options->rank == NY_AUTO && !model->record->stopped);
    if (model->record->origin.route && model->record->origin.why)
        ny_lines_add(&t, "  route           %s: %s\n", model->record->origin.route, model->record->origin.why);
    add_scale(&t, model);
    add_loss(&t, model);
    add_solver(&t, model->record);
    add_metric(&t, &model->record->metric);
    add_relevance(&t, model->record);
    ny_lines_bound(&t, model->record);
    add_expected(&t, model);
    add_confidence(&t, model);
    add_comparison(&t, model);
    if (!model->f.next) add_tried(&t, model->record, model->f.kernel.kernel->has_bandwidth);
    add_cost(&t, &model->record->spent);
    add_notes(&t, model->record);
    return ny_lines_take(&t, text);
}
