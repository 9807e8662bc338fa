/* plan.c: the time and memory model.
 *
 * Time: one evaluation at the full size costs about 4 n m^2 + 14 m^3 flops (kernel tiles and pivoted Cholesky, Gram
 * matrix, tridiagonal reduction, rotation). `auto` takes m = 17 sqrt(n), or 800 if that is more, enough for the
 * accuracy of the exact machine on most of our benchmark sets, but no more than a work budget allows; up to EXACT rows
 * it takes them all, or up to BY_KERNEL where a Cholesky factor for each C does (criterion/dense.c). The choice depends
 * on the data's size only, never on a clock, the threads or the free memory unless that is short: the same command
 * gives the same model on another machine. Machines by Newton's method have 0.7
 * of it: on spambase an svm has 5.84% test error with 17 sqrt(n), 5.83% with 12 sqrt(n) (five splits).
 * Memory: what factor, criterion and search say that they hold (base/cost.h), the data twice (as read and as scaled),
 * and for sparse data, where inputs may be many more than their values, what is kept for each input (statistics,
 * scaling, indices). */
#include "plan.h"

#include <math.h>
#include <stdio.h>

#include "base/threads.h"
#include "criterion/expanded.h"
#include "duration.h"
#include "exact_choose.h"
#include "inputs.h"
#include "options/limits.h"
#include "plan_exact.h"
#include "scale/scale.h"
#include "search/search.h"
#include "solver/machine.h"

static const double BUDGET = 1.2e11;             /* flops in 4 n m^2 */
static const double NEWTON = 0.7;                /* landmarks of machines by Newton's method, which cost more */
static const double GROWN = 1.2e12;              /* the same for landmarks that keep growing */
static const double NAMED = 500, WRITTEN = 1000; /* bytes of a column's names, in data and model, and in its record */
static const double SELECTING = 0.6; /* landmarks where the exact machine comes after for sure: they only select */
enum { EXACT = 1000, BY_KERNEL = 1500, ENOUGH = 800, LEAST = 100 };

static bool training(const ny_options *options) {
    return options->expansion == NY_EXPANSION_TRAINING;
}

/* What judges the machines, and how. */
typedef struct {
    const ny_criterion *criterion;
    ny_criterion_kind kind;
} judging;

static judging judging_of(const ny_options *options) {
    const ny_loss *loss = ny_machine_find(options->machine)->loss;
    const ny_criterion *criterion =
        options->radius_margin ? &ny_criterion_radius_margin : ny_criterion_asked(options, loss);
    return (judging){criterion, ny_criterion_kind_for(criterion, loss)};
}

/* The machine, or the criterion for one of squared loss, goes by Newton's method. */
static bool newton(const ny_options *options) {
    return judging_of(options).kind == NY_ITERATIVE;
}

/* A fold file is taken to have the default number of folds. */
static ny_size size_of(const ny_job *job, int64_t m) {
    const ny_options *options = job->options;
    const ny_search *search = ny_search_find(options->search);
    ny_search_cost cost = search->cost(options, newton(options));
    double n = (double)job->rows, k = (double)m;
    return (ny_size){.n = n,
                     .d = (double)job->data->X.d,
                     .m = fmin(k, n),
                     .q = (double)job->outputs,
                     .folds = fmin((double)options->folds, n),
                     .values = cost.one_C ? 1 : NY_VALUES_OF_C,
                     .together = n * k <= NY_SIDE_BY_SIDE ? fmin(cost.round, ny_threads()) : 1};
}

/* Rows in passes: a third of the memory for the sample and what is trained on it, a third for the moments of the folds
 * (as gathered and as reduced), an eighth for a block and its features. */
static double pass_bytes(const ny_job *job, int64_t m, double limit, ny_plan *plan) {
    const ny_options *options = job->options;
    const ny_data *data = job->data;
    double k = (double)m, rows = (double)job->rows, v = fmin((double)options->folds, rows);
    limit -= NY_BASE_BYTES;
    double inputs = data->sparse ? fmin((double)data->X.d, 150) : (double)data->X.d; /* a guess: text has no count */
    double outputs = (double)job->outputs, choice = 8 * fmin(10 * k, rows) * (k + inputs);
    double sample_row = 8 * (2.2 * inputs + k / 3 + 9 * outputs + 8),
           block_row = 8 * (3 * inputs + k + 3 * outputs + 8);
    double moments = 8 * ((2 * v + 3) * k * k + 4 * v * k * outputs), ladder = 8 * 48 * k * outputs;
    double sample = fmin(fmax(fmin(NY_SAMPLE_ROWS, limit / 3 / sample_row), 500), rows);
    double block = fmin(fmax(fmin(32768, limit / 8 / block_row), 64), rows);
    double round = ny_search_find(options->search)->cost(options, false).round, most = round > 2 ? 16 : 2;
    double machines = fmax(fmin(most, limit / 3 / moments), 1);
    plan->sample = (int64_t)sample;
    plan->block = (int64_t)block;
    plan->machines = (int64_t)machines;
    double tiles = (double)ny_threads() * 256 * 8 * k,
           per_input = (double)data->X.d * 80 + (NAMED + WRITTEN) * (double)data->schema.columns;
    if (options->fold_file[0]) tiles += 4 * rows; /* the one thing kept for every row */
    const ny_scale *scale = ny_scale_find(options->scale);
    per_input += ny_scale_bend_bytes(scale, data->X.d, rows);
    choice = fmax(choice, ny_scale_sketch_bytes(scale, data->X.d, rows)); /* they are gone before the sample comes */
    return NY_BASE_BYTES + fmax(choice, sample_row * sample) + machines * moments + ladder + block_row * block + tiles +
           per_input;
}

static bool posterior_kept(ny_posterior_wish wish, int64_t m) {
    return wish == NY_POSTERIOR_YES || (wish == NY_POSTERIOR_SMALL && m <= NY_POSTERIOR_MOST);
}

/* The decomposition of the squared loss, or of what stands in for another at first; and Newton's method. Criteria that
 * are to be compared come one after the other: cross-validation needs most. */
static double judging_numbers(const ny_options *options, const ny_size *s) {
    judging by = judging_of(options);
    const ny_criterion *closed = by.kind == NY_CLOSED_FORM ? by.criterion : &ny_criterion_loo;
    double numbers = ny_judge_cost(closed, NY_CLOSED_FORM, s).numbers;
    if (options->compare_criteria && by.kind == NY_CLOSED_FORM)
        numbers = fmax(numbers, ny_judge_cost(&ny_criterion_cv, NY_CLOSED_FORM, s).numbers);
    if (by.kind == NY_ITERATIVE) numbers += ny_judge_cost(by.criterion, NY_ITERATIVE, s).numbers;
    return numbers + ny_profile_numbers(by.kind, s);
}

/* What is judged at a time: pairs come one after the other, each with its own copy of its columns of G. */
static ny_size judged(const ny_job *job, ny_size s) {
    if (!job->pairs) return s;
    s.n *= 2 / (double)job->classes;
    s.q = 1;
    return s;
}

/* Machines that wait for the others of their round, beyond the best and the next. */
static double waiting_numbers(const ny_job *job, const ny_size *s, bool posterior) {
    double round = ny_search_find(job->options->search)->cost(job->options, newton(job->options)).round;
    double outputs = s->q * (job->pairs ? 1 : 4);
    double each = (posterior ? s->m * s->m : 0) + s->n * (outputs + 2) + s->m * (s->d + s->q);
    return s->n * s->m <= NY_SIDE_BY_SIDE ? fmax(round - 2, 0) * each : 0;
}

static double bytes_needed(const ny_job *job, int64_t m, double limit) {
    const ny_data *data = job->data;
    if (data->stream) return pass_bytes(job, m, limit, &(ny_plan){0});
    ny_size s = size_of(job, m), one = judged(job, s);
    double x = (double)ny_matrix_bytes(&data->X), n = s.n, k = (double)m;
    bool posterior = posterior_kept(job->posterior, m);
    double machine = ny_factor_cost(&s).numbers + judging_numbers(job->options, &one) + (job->pairs ? one.n * k : 0);
    machine += ny_search_find(job->options->search)->cost(job->options, newton(job->options)).features * n * k;
    if (training(job->options)) machine += ny_expanded_cost(&s).numbers + x / 8; /* the model's rows */
    if (posterior) machine += 2 * k * k + n * s.q * 2; /* the best machine's and that of the next; leverages */
    /* Of pairs only held-out outputs are there for all rows: of the best machine and of those at work. */
    double targets = n * (s.q * (job->pairs ? 1 + s.together : 5) + 7), tiles = (double)ny_threads() * (256 + s.q) * k;
    double inputs = s.d * (10 + (data->sparse ? 2 * ny_threads() : 0)); /* statistics, index */
    inputs += ny_scale_bend_bytes(ny_scale_find(job->options->scale), data->X.d, n) / 8;
    double buffers = fmin(NY_BLAS_BYTES / 2.0, n * k), columns = (double)data->schema.columns;
    double search = targets + s.together * (machine + tiles) + waiting_numbers(job, &s, posterior);
    if (job->judged && job->judged->n) { /* inputs, read and scaled; features behind copies of all others; targets */
        double rows = (double)job->judged->n;
        x += (double)ny_matrix_bytes(&job->judged->X);
        search += s.together * (n + rows) * s.m + rows * (s.q * 5 + 7);
    }
    return NY_BASE_BYTES + NAMED * columns + 2 * x + 8 * inputs + fmax(buffers + 8 * search, WRITTEN * columns);
}

/* An exact machine that comes after for sure: landmarks only select. */
static bool cheap(const ny_route *route) {
    return ny_route_exact_after(route) && route->flops <= NY_EXACT_CHEAP;
}

int64_t ny_plan_bytes(const ny_ctx *ctx, const ny_job *job, int64_t m) {
    return (int64_t)bytes_needed(job, m, ny_limits_memory(ctx, job->options));
}

/* The largest dimension of the feature space of the kernels to choose from. */
static double dimension(const ny_options *options, int64_t inputs) {
    const ny_kernel *kernels[NY_KERNELS_MAX];
    int64_t count = ny_kernel_candidates(options->kernel, NY_KERNELS_MAX, kernels);
    double largest = 0;
    for (int64_t i = 0; i < count; i++) {
        ny_kernel_params kernel = {.kernel = kernels[i], .degree = options->degree, .coef0 = options->coef0};
        largest = fmax(largest, ny_kernel_dimension(&kernel, inputs));
    }
    return largest;
}

/* Random rows that span the feature space, as good as surely, are enough; and up to twice the usual number is a fair
 * price for the whole of it. */
static int64_t automatic(const ny_options *options, int64_t n, double dimensions, bool by_kernel) {
    if (n <= (by_kernel ? BY_KERNEL : EXACT)) return n;
    double share = newton(options) ? NEWTON : 1, enough = 1.25 * dimensions + 20;
    double m = fmax(share * fmin(fmax(17 * sqrt((double)n), ENOUGH), sqrt(BUDGET / 4 / (double)n)), LEAST);
    return (int64_t)(enough <= 2 * m ? fmin(enough, (double)n) : m);
}

/* Landmarks that are chosen to span the feature space: not by a method that the user names; and --rank and
 * --rank-floor ask for the eigenvalues of all rows. */
static int64_t span(const ny_options *options, int64_t rows, double dimensions) {
    bool named = !ny_is_auto(options->landmark_method) && options->landmarks.number != NY_ALL;
    return named || ny_options_cut(options) ? rows : ny_kernel_span(dimensions, rows);
}

static bool chosen_by_us(const ny_count *count) {
    return (count->number == NY_AUTO || count->number == NY_GROW) && !count->candidates;
}

/* The number, or the largest of several. */
static int64_t asked_for(const ny_count *count, int64_t rows) {
    int64_t m = count->number;
    for (int64_t i = 0; i < count->candidates; i++)
        if (count->candidate[i] > m) m = count->candidate[i];
    return m == NY_ALL || m > rows ? rows : m;
}

/* The largest number of landmarks that fits; 0 if none does. */
static int64_t largest_fitting(const ny_job *job, double limit) {
    int64_t lo = 0, hi = job->rows;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo + 1) / 2;
        if (bytes_needed(job, mid, limit) <= limit) lo = mid;
        else hi = mid - 1;
    }
    return lo;
}

/* What would make it fit, as far as an option would. */
static const char *remedy(const ny_job *job, double limit) {
    const ny_options *options = job->options;
    const ny_data *data = job->data;
    ny_job fewer = *job;
    if (job->classes > 2) fewer.outputs = ny_codes_outputs(&ny_multiclass_moc, job->classes);
    bool file = data->source && options->stream != NY_STREAM_YES && !data->stream;
    bool passes = file && !newton(options) && !training(options) && !options->bound && !options->compare_criteria &&
                  ny_multiclass_find(options->multiclass) != &ny_multiclass_ovo;
    if (fewer.outputs < job->outputs && bytes_needed(&fewer, LEAST / 2, limit) <= limit)
        return "use --multiclass moc, which has fewer outputs, or raise --memory";
    if (passes && pass_bytes(job, LEAST / 2, limit, &(ny_plan){0}) <= limit)
        return "use --stream yes or raise --memory";
    return "raise --memory or use fewer rows";
}

ny_status ny_plan_check(ny_ctx *ctx, const ny_job *job) {
    ny_status st = NY_OK;
    const ny_count *landmarks = &job->options->landmarks;
    double limit = ny_limits_memory(ctx, job->options);
    int64_t m = chosen_by_us(landmarks) ? job->rows : asked_for(landmarks, job->rows);
    if (m > LEAST / 2) m = LEAST / 2;
    double bytes = bytes_needed(job, m, limit);
    char several[48] = "";
    if (job->outputs > 1) snprintf(several, sizeof several, " and %lld outputs", (long long)job->outputs);
    NY_CHECK(ctx, bytes <= limit, NY_ERR_MEMORY,
             "%lld rows x %lld inputs%s need about %.0f MB even with %lld landmarks, and %.0f MB may be used: %s",
             (long long)job->rows, (long long)job->data->X.d, several, bytes / 1e6, (long long)m, limit / 1e6,
             remedy(job, limit));
done:
    return st;
}

/* As many landmarks as there are to be, or as fit; and the memory that goes with them. */
static ny_status plan_landmarks(ny_ctx *ctx, const ny_route_facts *facts, const ny_job *job, ny_plan *plan) {
    ny_status st = NY_OK;
    bool is_auto = chosen_by_us(&job->options->landmarks);
    int64_t alone = facts->landmarks, m = alone, rows = job->rows;
    double limit = ny_limits_memory(ctx, job->options), bytes = bytes_needed(job, alone, limit);
    if (cheap(&plan->route)) m = (int64_t)(SELECTING * (double)m);
    if (bytes > limit) alone = m, bytes = bytes_needed(job, m, limit);
    if (bytes > limit) {
        int64_t fitting = largest_fitting(job, limit);
        NY_CHECK(ctx, is_auto, NY_ERR_MEMORY,
                 "%lld landmarks need about %.0f MB and %.0f MB may be used: --landmarks %lld fits (or raise --memory)",
                 (long long)m, bytes / 1e6, limit / 1e6, (long long)fitting);
        ny_log(ctx, NY_LOG_WARNING, "memory allows %lld landmarks instead of %lld (--memory to change)",
               (long long)fitting, (long long)m);
        m = alone = fitting;
        bytes = bytes_needed(job, m, limit);
    }
    if (plan->preconditioner && posterior_kept(job->posterior, m)) { /* it waits beside the solver */
        plan->bytes += 8 * m * m;
        plan->exact_bytes += 8 * m * m;
    }
    plan->landmarks = plan->landmarks_most = m;
    plan->landmarks_alone = alone;
    plan->bytes = (int64_t)fmax(bytes, (double)plan->bytes);
    if (is_auto && m < rows && (double)m < facts->dimensions && !facts->one_of_many) {
        int64_t most = (int64_t)sqrt(GROWN / 4 / (double)rows);
        while (most > m && bytes_needed(job, most, limit) > limit) most -= most / 20 + 1;
        plan->landmarks_most = most > rows * 2 / 3 ? rows * 2 / 3 : most; /* beyond, ask for the exact machine */
    }
    if (job->data->stream) pass_bytes(job, m, limit, plan);
done:
    return st;
}

/* How long search and training will take; --ard comes before. */
static void plan_time(ny_ctx *ctx, const ny_route_facts *facts, const ny_job *job, ny_plan *plan) {
    const ny_options *options = job->options;
    const ny_data *data = job->data;
    const ny_route *route = &plan->route;
    bool chooses =
        ny_route_exact_after(route) && job->outputs == 1 && job->posterior != NY_POSTERIOR_NO && options->C.is_auto;
    bool sure = cheap(route) || route->asked; /* else sizes.c decides */
    if (chooses) plan->exact_work = ny_exact_flops(&data->X, plan, 0);
    else if (plan->preconditioner)
        plan->exact_work = ny_work_exact(data, job->rows, plan->exact_columns, plan->preconditioner);
    judging by = judging_of(options);
    ny_work work = {.options = options,
                    .data = data,
                    .size = size_of(job, plan->landmarks),
                    .pairs = job->pairs,
                    .criterion = by.criterion,
                    .kind = facts->by_kernel && plan->landmarks >= job->rows ? NY_OF_KERNEL : by.kind,
                    .route = route,
                    .exact = sure ? plan->exact_work : 0,
                    .beside = sure && chooses};
    double flops = ny_work_flops(&work);
    plan->rate = ny_work_rate(ctx, flops);
    plan->seconds = flops / plan->rate + ny_work_passes(data);
    if (plan->seconds > 10)
        ny_log(ctx, NY_LOG_INFO,
               "about %.0f s and %.0f MB for %lld rows with %lld landmarks (--time-limit, --landmarks to change)",
               plan->seconds, (double)plan->bytes / 1e6, (long long)job->rows, (long long)plan->landmarks);
}

ny_status ny_plan_make(ny_ctx *ctx, const ny_job *job, ny_plan *plan) {
    ny_status st = NY_OK;
    const ny_options *options = job->options;
    int64_t rows = job->rows, inputs = job->data->X.d;
    double dimensions = dimension(options, inputs);
    int64_t whole = span(options, rows, dimensions);
    bool by_kernel = ny_wants_kernel(options) && options->C.is_auto && !newton(options) && !job->pairs &&
                     (job->outputs == 1 || job->posterior == NY_POSTERIOR_NO);
    int64_t m = chosen_by_us(&options->landmarks) ? automatic(options, rows, dimensions, by_kernel)
                                                  : asked_for(&options->landmarks, rows);
    bool one_of_many = chosen_by_us(&options->landmarks) && job->most && job->most < m;
    if (one_of_many) m = job->most;
    const ny_route_facts facts = {.options = options,
                                  .data = job->data,
                                  .rows = rows,
                                  .outputs = job->outputs,
                                  .landmarks = m < whole ? m : whole,
                                  .classes = job->classes > 0,
                                  .pairs = job->pairs,
                                  .newton = newton(options),
                                  .by_kernel = by_kernel,
                                  .dimensions = dimensions,
                                  .posterior = job->posterior,
                                  .one_of_many = one_of_many};
    *plan = (ny_plan){.route = ny_route_choose(&facts), .spanning = whole < rows ? whole : 0};
    if (plan->route.kind == NY_ROUTE_CG_AFTER) NY_TRY(ny_plan_exact(ctx, &facts, plan));
    NY_TRY(plan_landmarks(ctx, &facts, job, plan));
    double bytes, flops;
    ny_weighing_cost(options, job->data, rows, job->outputs, plan->landmarks, &bytes, &flops);
    plan->bytes += (int64_t)bytes; /* it is freed before the search, but not all of it goes back to the system */
    plan_time(ctx, &facts, job, plan);
done:
    return st;
}
