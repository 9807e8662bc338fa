/* duration.c: see duration.h. Operations are counted along the way that the plan will take; how many there are in a
 * second is measured in processor time, so that other work on the machine is left out: it comes and goes. */
#include "duration.h"

#include <math.h>
#include <time.h>

#include "base/threads.h"
#include "criterion/expanded.h"
#include "inputs.h"
#include "linalg/linalg.h"
#include "search/search.h"

static const double RATE = 3.5e10;        /* usual flops per second and thread */
static const double SHARE = 0.6;          /* of the rate of large products that a training gets to */
static const double SCANNED = 300;        /* rows of the exact machines that look at the whole range, */
static const double PLACES = 12;          /* how many of each kernel, */
static const double HALVES = 6, ALL = 3;  /* and those of half of the rows and of all that follow */
static const double OF_KERNEL = 5;        /* n^3 flops of an exact machine of some rows, and ... */
static const double SELECTING = 12;       /* ... how many tell where the one of all by conjugate gradients is to be */
static const double TRIES = 3;            /* that one begins with three C at once and goes on to more, or, ... */
static const double VALUES_OF_C = 6;      /* ... of three outputs or more, to one after the other while that is cheap */
static const double ITERATIONS = 10;      /* of conjugate gradients, with a preconditioner: 1 to 30 were seen */
static const double PASSES = 4, PASS = 3; /* passes after the survey, and what each takes beside it */
static const double RANKS = 3;            /* what the ranks of --rank auto cost together, in machines of full rank */
enum { PRODUCT = 384, TIMES = 8 };

/* Machines of full size trained in all. */
static double machines(const ny_work *w) {
    const ny_options *options = w->options;
    double more = options->compare_criteria ? 8 : 0; /* two for each criterion */
    if (options->rank == NY_AUTO) more += RANKS;
    return more + ny_search_find(options->search)->cost(options, w->kind == NY_ITERATIVE).machines;
}

double ny_work_exact(const ny_data *data, int64_t rows, int64_t columns, int64_t rank) {
    double n = (double)rows, r = (double)rank;
    return ny_kernel_product_flops(&data->X, columns) + (ITERATIONS - 1) * n * n * 2 * (double)columns + 2 * n * r * r;
}

static double dense_flops(const ny_work *w, double rows) {
    ny_size size = w->size;
    size.n = size.m = rows;
    return ny_dense_flops(&size);
}

/* A search among exact machines by their kernel matrix (search/search_profile.c). */
static double dense_search(const ny_work *w) {
    const ny_kernel *kernels[NY_KERNELS_MAX];
    double half = floor(w->size.n / 2), few = fmin(half, SCANNED);
    double count = (double)ny_kernel_candidates(w->options->kernel, NY_KERNELS_MAX, kernels);
    return PLACES * count * dense_flops(w, few) + HALVES * dense_flops(w, half) + ALL * dense_flops(w, w->size.n);
}

/* A search among machines on landmarks. */
static double landmark_search(const ny_work *w) {
    const ny_criterion *closed = w->kind == NY_CLOSED_FORM ? w->criterion : &ny_criterion_loo; /* stands in at first */
    double flops = ny_closed_flops(closed, &w->size, w->pairs) * ny_thin((int64_t)w->size.m);
    if (w->kind == NY_ITERATIVE) flops += ny_newton_flops(w->criterion, &w->size, w->pairs);
    if (w->options->expansion == NY_EXPANSION_TRAINING) flops += ny_expanded_cost(&w->size).flops;
    return flops * (machines(w) + (w->beside ? 1 : 0));
}

double ny_work_flops(const ny_work *w) {
    int64_t rows = (int64_t)w->size.n;
    double flops, bytes, weighing, some = (double)ny_route_selecting(rows, w->route->flops);
    if (w->kind == NY_OF_KERNEL) flops = dense_search(w);
    else if (w->route->kind == NY_ROUTE_CG_ALONE)
        flops = SELECTING * some * some * (OF_KERNEL * some + 2 * w->size.d + 20);
    else flops = landmark_search(w);
    double cheap = fmax(1, floor(NY_EXACT_CHOOSING / fmax(w->exact, 1)));
    if (w->route->kind != NY_ROUTE_CG_ALONE) flops += w->exact;
    else flops += w->exact * (w->size.q > 2 ? fmin(VALUES_OF_C, cheap) : TRIES);
    ny_weighing_cost(w->options, w->data, rows, (int64_t)w->size.q, (int64_t)w->size.m, &bytes, &weighing);
    return flops + weighing;
}

double ny_work_passes(const ny_data *data) {
    return data->stream ? PASSES * PASS * data->seconds_read : 0;
}

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double ny_work_rate(ny_ctx *ctx, double flops) {
    int threads = ny_threads();
    double *a = NULL, usual = RATE * threads;
    if (flops < usual) return usual;
    ny_threads_set(1);
    if (!(a = ny_alloc(ctx, 3 * PRODUCT * PRODUCT, sizeof *a))) goto done;
    double best = INFINITY;
    for (int k = 0; k < TIMES; k++) {
        double start = processor_seconds();
        ny_gemm(false, false, PRODUCT, PRODUCT, PRODUCT, 1.0, a, PRODUCT, a + PRODUCT * PRODUCT, PRODUCT, 0.0,
                a + 2 * PRODUCT * PRODUCT, PRODUCT);
        best = fmin(best, processor_seconds() - start);
    }
    usual = SHARE * 2.0 * PRODUCT * PRODUCT * PRODUCT / fmax(best, 1e-6) * threads;
done:
    ny_threads_set(threads);
    ny_free(a);
    return usual;
}
