/* bend.c: see bend.h. */
#include "bend.h"

#include <math.h>

#include "base/threads.h"

ny_status ny_bend_begin(ny_ctx *ctx, int64_t d, ny_bend *bend) {
    ny_status st = NY_OK;
    *bend = (ny_bend){.d = d};
    NY_NEW(ctx, bend->ptr, d + 1);
    NY_NEW(ctx, bend->log, 2 * d);
done:
    if (st != NY_OK) ny_bend_clear(bend);
    return st;
}

void ny_bend_clear(ny_bend *bend) {
    ny_free(bend->ptr);
    ny_free(bend->x);
    ny_free(bend->z);
    ny_free(bend->log);
    *bend = (ny_bend){0};
}

ny_status ny_bend_knot(ny_ctx *ctx, ny_bend *bend, double x, double z) {
    ny_status st = NY_OK;
    int64_t at = bend->ptr[bend->d], room = bend->room;
    NY_GROW(ctx, bend->x, room, at + 1);
    NY_GROW(ctx, bend->z, bend->room, at + 1);
    bend->x[at] = x;
    bend->z[at] = z;
    bend->ptr[bend->d]++; /* the last end counts all knots, also before the inputs up to it are closed */
done:
    return st;
}

void ny_bend_close(ny_bend *bend, int64_t j) {
    bend->ptr[j + 1] = bend->ptr[bend->d];
}

bool ny_bend_has(const ny_bend *bend, int64_t j) {
    return bend->d && (bend->ptr[j + 1] > bend->ptr[j] || bend->log[j + bend->d] > 0);
}

int64_t ny_bend_count(const ny_bend *bend) {
    int64_t count = 0;
    for (int64_t j = 0; j < bend->d; j++) count += ny_bend_has(bend, j);
    return count;
}

/* z_a + (x - x_a) / (x_b - x_a) (z_b - z_a), with x_a <= x < x_b the knots around x */
static double along_knots(int64_t n, const double *knot, const double *z, double x) {
    int64_t a = 0, b = n - 1;
    if (!(x > knot[0])) return z[0];
    if (x >= knot[b]) return z[b];
    while (b - a > 1) {
        int64_t middle = (a + b) / 2;
        if (knot[middle] <= x) a = middle;
        else b = middle;
    }
    return z[a] + (x - knot[a]) / (knot[b] - knot[a]) * (z[b] - z[a]);
}

double ny_bend_value(const ny_bend *bend, int64_t j, double x) {
    if (!ny_bend_has(bend, j)) return x;
    int64_t first = bend->ptr[j], knots = bend->ptr[j + 1] - first;
    if (knots > 0) return along_knots(knots, bend->x + first, bend->z + first, x);
    double t = (x - bend->log[j]) / bend->log[j + bend->d];
    return copysign(log1p(fabs(t)), t);
}

typedef struct {
    const ny_bend *bend;
    ny_matrix *X;
} job;

static void bend_rows(void *arg, int64_t first, int64_t count, int thread) {
    job *J = arg;
    (void)thread;
    for (int64_t i = first; i < first + count; i++)
        for (int64_t j = 0; j < J->X->d; j++) {
            double *x = J->X->x + j + i * J->X->d;
            *x = ny_bend_value(J->bend, j, *x);
        }
}

void ny_bend_apply(const ny_bend *bend, ny_matrix *X) {
    enum { ROWS = 256 };
    if (ny_bend_count(bend) > 0) ny_for_tiles(X->n, ROWS, bend_rows, &(job){bend, X});
}

void ny_bend_keep(ny_bend *bend, const bool *kept) {
    int64_t d = 0, knots = 0;
    for (int64_t j = 0, first = 0; j < bend->d; j++) {
        int64_t last = bend->ptr[j + 1]; /* ptr[j] may be another's by now */
        for (int64_t k = first; k < last && kept[j]; k++, knots++) {
            bend->x[knots] = bend->x[k];
            bend->z[knots] = bend->z[k];
        }
        first = last;
        if (!kept[j]) continue;
        bend->log[d] = bend->log[j];
        bend->ptr[++d] = knots;
    }
    for (int64_t j = 0, to = d; j < bend->d; j++) /* the widths follow the centres */
        if (kept[j]) bend->log[to++] = bend->log[j + bend->d];
    bend->d = d;
}

const char *ny_bend_fault(const ny_bend *bend, int64_t knots) {
    if (bend->ptr[0] != 0 || bend->ptr[bend->d] != knots) return "the knots of the inputs are not all there";
    for (int64_t j = 0; j < bend->d; j++)
        if (bend->ptr[j] > bend->ptr[j + 1] || bend->ptr[j + 1] > knots) return "the knots of the inputs overlap";
    for (int64_t j = 0; j < bend->d; j++) {
        if (bend->log[j + bend->d] < 0) return "a width is below 0";
        if (bend->ptr[j + 1] > bend->ptr[j] && bend->log[j + bend->d] > 0) return "an input has knots and a logarithm";
        for (int64_t k = bend->ptr[j] + 1; k < bend->ptr[j + 1]; k++)
            if (bend->x[k - 1] >= bend->x[k] || bend->z[k - 1] > bend->z[k]) return "knots do not ascend";
    }
    return NULL;
}
