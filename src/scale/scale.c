/* scale.c: the straight members, each a line or two, and the statistics they are made of; the others are in
 * scale_ordered.c.
 *
 * Dense rows are taken in pieces that stay in the cache, each looked at twice: mean, least and largest first, then the
 * squares about the mean in units of the range, so that neither huge values overflow nor tiny ones vanish. Pieces are
 * joined as Chan, Golub and LeVeque (1979) do, with d = (mean_b - mean_a) / unit:
 *     mean = mean_a + (mean_b - mean_a) n_b / n,     S = S_a + S_b + d^2 n_a n_b / n
 * Of sparse rows only the squares about 0 are wanted, in units of the largest magnitude so far. */
#include "scale.h"

#include <math.h>
#include <string.h>

#include "base/family.h"

/* z = (x - mean) / sd */
static void fit_standard(const ny_input_stats *s, bool sparse, double *shift, double *factor) {
    *shift = sparse ? 0 : s->mean;
    *factor = 1 / (s->unit * sqrt(s->variance));
}

/* z = 2 (x - least) / (largest - least) - 1 */
static void fit_range(const ny_input_stats *s, bool sparse, double *shift, double *factor) {
    *shift = sparse ? 0 : 0.5 * (s->least + s->largest);
    *factor = sparse ? 1 / fmax(fabs(s->least), fabs(s->largest)) : 2 / (s->largest - s->least);
}

static void fit_none(const ny_input_stats *s, bool sparse, double *shift, double *factor) {
    (void)s, (void)sparse;
    *shift = 0;
    *factor = 1;
}

#define X(name, help) const ny_scale ny_scale_##name = {#name, help, fit_##name, NULL, 0};
NY_SCALE_STRAIGHT(X)
#undef X

#define X(name, ...) &ny_scale_##name,
NY_FAMILY(ny_scale, ny_scale, NY_SCALE_STRAIGHT(X) NY_SCALE_ORDERED(X))
#undef X

enum { PIECE = 1 << 14 }; /* numbers of a piece */

/* 2048 for up to 128 inputs, then less, so that all sketches together take 2 MB for each of their levels. */
static int64_t sketch_size(int64_t d) {
    int64_t size = 2048;
    while (size > 256 && size * d > 2048 * 128) size /= 2;
    return size;
}

/* A buffer for each level, the open one, and one more while two become one. */
double ny_scale_sketch_bytes(const ny_scale *scale, int64_t d, double rows) {
    double size = (double)sketch_size(d);
    return scale->order ? 8 * (double)d * size * (2 + log2(1 + rows / size)) : 0;
}

double ny_scale_bend_bytes(const ny_scale *scale, int64_t d, double rows) {
    return scale == &ny_scale_quantile ? 16 * (double)d * fmin(rows, NY_KNOTS) : 0;
}

static ny_status check_dense(ny_ctx *ctx, const ny_scale *scale, bool sparse) {
    ny_status st = NY_OK;
    NY_CHECK(ctx, !scale->order || !sparse, NY_ERR_USAGE,
             "--scale %s goes by the order of the values, and of sparse inputs most are 0: use standard, range or none",
             scale->name);
done:
    return st;
}

ny_status ny_scale_begin(ny_ctx *ctx, const ny_scale *scale, int64_t d, bool sparse, ny_scale_acc *acc) {
    ny_status st = NY_OK;
    *acc = (ny_scale_acc){.d = d, .sparse = sparse};
    NY_TRY(check_dense(ctx, scale, sparse));
    if (scale->order) NY_NEW(ctx, acc->sketch, d);
    for (int64_t j = 0; j < d && acc->sketch; j++) NY_TRY(ny_sketch_begin(ctx, sketch_size(d), &acc->sketch[j]));
    NY_NEW(ctx, acc->stats, d);
    for (int64_t j = 0; j < d && !sparse; j++) acc->stats[j].least = INFINITY, acc->stats[j].largest = -INFINITY;
    if (sparse) goto done;
    NY_NEW_RAW(ctx, acc->origin, d);
    NY_NEW_RAW(ctx, acc->mean, d);
    NY_NEW_RAW(ctx, acc->least, d);
    NY_NEW_RAW(ctx, acc->largest, d);
    NY_NEW_RAW(ctx, acc->squares, d);
done:
    if (st != NY_OK) ny_scale_acc_clear(acc);
    return st;
}

void ny_scale_acc_clear(ny_scale_acc *acc) {
    for (int64_t j = 0; j < acc->d && acc->sketch; j++) ny_sketch_clear(&acc->sketch[j]);
    ny_free(acc->sketch);
    ny_free(acc->stats);
    ny_free(acc->origin);
    ny_free(acc->mean);
    ny_free(acc->least);
    ny_free(acc->largest);
    ny_free(acc->squares);
    *acc = (ny_scale_acc){0};
}

static void add_sparse(ny_scale_acc *acc, const ny_matrix *X, int64_t i) {
    for (int64_t e = X->ptr[i]; e < X->ptr[i + 1]; e++) {
        ny_input_stats *s = &acc->stats[X->idx[e]];
        double x = X->val[e], size = fabs(x);
        if (size > s->unit) {
            s->variance *= (s->unit / size) * (s->unit / size);
            s->unit = size;
        }
        if (size > 0) s->variance += (x / s->unit) * (x / s->unit);
        s->least = fmin(s->least, x);
        s->largest = fmax(s->largest, x);
    }
}

/* One piece: its own statistics. */
static void measure(ny_scale_acc *acc, const ny_matrix *X, const int64_t *rows, int64_t first, int64_t count) {
    int64_t d = acc->d;
    const double *origin = acc->origin;
    double *mean = acc->mean, *least = acc->least, *largest = acc->largest, *squares = acc->squares;
    for (int64_t j = 0; j < d; j++) mean[j] = squares[j] = 0, least[j] = INFINITY, largest[j] = -INFINITY;
    for (int64_t k = first; k < first + count; k++) {
        const double *x = X->x + (rows ? rows[k] : k) * d;
        for (int64_t j = 0; j < d; j++) {
            mean[j] += x[j] - origin[j];
            least[j] = x[j] < least[j] ? x[j] : least[j];
            largest[j] = x[j] > largest[j] ? x[j] : largest[j];
        }
    }
    for (int64_t j = 0; j < d; j++) mean[j] /= (double)count;
    for (int64_t k = first; k < first + count; k++) {
        const double *x = X->x + (rows ? rows[k] : k) * d;
        for (int64_t j = 0; j < d; j++) {
            double unit = largest[j] - least[j], z = unit > 0 ? (x[j] - origin[j] - mean[j]) / unit : 0;
            squares[j] += z * z;
        }
    }
}

/* The piece joins the rows before it. */
static void join(ny_scale_acc *acc, int64_t count) {
    double before = (double)acc->count, more = (double)count, all = before + more;
    for (int64_t j = 0; j < acc->d; j++) {
        ny_input_stats *s = &acc->stats[j];
        double own = acc->largest[j] - acc->least[j], step = acc->mean[j] - s->mean;
        s->least = fmin(s->least, acc->least[j]);
        s->largest = fmax(s->largest, acc->largest[j]);
        double unit = s->largest - s->least;
        if (unit > 0) {
            double a = s->unit / unit, b = own / unit, delta = before > 0 ? step / unit : 0;
            s->variance = s->variance * a * a + acc->squares[j] * b * b + delta * delta * (before * more / all);
        }
        s->unit = unit;
        s->mean += step * (more / all);
    }
    acc->count += count;
}

/* The rows of a piece, input by input while they are in the cache. */
static ny_status add_to_sketches(ny_ctx *ctx, ny_scale_acc *acc, const ny_matrix *X, const int64_t *rows, int64_t first,
                                 int64_t count) {
    ny_status st = NY_OK;
    int64_t d = acc->d;
    for (int64_t j = 0; j < d; j++)
        if (!rows) NY_TRY(ny_sketch_add(ctx, &acc->sketch[j], X->x + j + first * d, d, count));
        else
            for (int64_t k = first; k < first + count; k++)
                NY_TRY(ny_sketch_add(ctx, &acc->sketch[j], X->x + j + rows[k] * d, d, 1));
done:
    return st;
}

ny_status ny_scale_add(ny_ctx *ctx, ny_scale_acc *acc, const ny_matrix *X, const int64_t *rows, int64_t count) {
    ny_status st = NY_OK;
    if (acc->sparse) {
        for (int64_t k = 0; k < count; k++) add_sparse(acc, X, rows ? rows[k] : k);
        acc->count += count;
        return st;
    }
    if (acc->count == 0 && count > 0)
        memcpy(acc->origin, X->x + (rows ? rows[0] : 0) * acc->d, (size_t)acc->d * sizeof *acc->origin);
    int64_t piece = PIECE / (acc->d + 1) + 16;
    for (int64_t k = 0; k < count; k += piece) {
        int64_t size = count - k < piece ? count - k : piece;
        measure(acc, X, rows, k, size);
        join(acc, size);
        if (acc->sketch) NY_TRY(add_to_sketches(ctx, acc, X, rows, k, size));
    }
done:
    return st;
}

/* Shift and factor of every input, from moments and ends. */
static void fit_straight(const ny_scale_acc *acc, const ny_scale *scale, ny_scaling *out) {
    bool sparse = acc->sparse;
    double *shift = out->shift, *factor = out->factor;
    out->constant = 0;
    for (int64_t j = 0; j < acc->d; j++) {
        ny_input_stats s = acc->stats[j];
        s.variance /= (double)acc->count;
        if (!sparse) s.mean += acc->origin[j];
        if (out->range) out->range[j] = s.least, out->range[j + acc->d] = s.largest;
        scale->fit(&s, sparse, &shift[j], &factor[j]);
        bool same = s.least == s.largest || !isfinite(factor[j]);
        out->constant += same;
        if (same && scale != &ny_scale_none) shift[j] = sparse ? 0 : s.mean, factor[j] = sparse ? 1 : 0;
    }
}

/* The inputs in order: from their sketches, or from the rows of X. */
static ny_status fit_order(ny_ctx *ctx, const ny_scale *scale, const ny_sketch *sketch, const ny_matrix *X,
                           const int64_t *rows, int64_t count, ny_scaling *out) {
    ny_status st = NY_OK;
    ny_ordered v = {0};
    int64_t d = X->d;
    NY_TRY(ny_bend_begin(ctx, d, out->bend));
    for (int64_t j = 0; j < d; j++) {
        double error = 0;
        if (sketch) NY_TRY(ny_sketch_order(ctx, &sketch[j], &v));
        else NY_TRY(ny_ordered_input(ctx, X, rows, count, j, &v));
        int64_t distinct = sketch ? sketch[j].distinct : v.n;
        if (out->factor[j] != 0 && distinct > scale->few) {
            NY_TRY(scale->order(ctx, &v, j, out, &error));
            if (sketch) error += (double)(ny_sketch_error(&sketch[j]) + ny_sketch_grain(&sketch[j])) / v.total;
        }
        ny_bend_close(out->bend, j);
        if (ny_bend_has(out->bend, j)) out->error = fmax(out->error, error);
        ny_ordered_clear(&v);
    }
    if (ny_bend_count(out->bend) == 0) ny_bend_clear(out->bend);
done:
    ny_ordered_clear(&v);
    return st;
}

ny_status ny_scale_end(ny_ctx *ctx, const ny_scale_acc *acc, const ny_scale *scale, ny_scaling *out) {
    fit_straight(acc, scale->fit ? scale : &ny_scale_standard, out);
    out->error = 0;
    return scale->order ? fit_order(ctx, scale, acc->sketch, &(ny_matrix){.d = acc->d}, NULL, 0, out) : NY_OK;
}

ny_status ny_scale_fit(ny_ctx *ctx, const ny_scale *scale, const ny_matrix *X, const int64_t *rows, int64_t count,
                       ny_scaling *out) {
    ny_status st = NY_OK;
    ny_scale_acc acc = {0};
    const ny_scale *straight = scale->fit ? scale : &ny_scale_standard; /* what is in memory needs no sketch */
    NY_TRY(check_dense(ctx, scale, ny_matrix_is_sparse(X)));
    NY_TRY(ny_scale_begin(ctx, straight, X->d, ny_matrix_is_sparse(X), &acc));
    NY_TRY(ny_scale_add(ctx, &acc, X, rows, count));
    NY_TRY(ny_scale_end(ctx, &acc, straight, out));
    if (scale->order) NY_TRY(fit_order(ctx, scale, NULL, X, rows, count, out));
done:
    ny_scale_acc_clear(&acc);
    return st;
}

void ny_scale_apply(const double *shift, const double *factor, ny_matrix *X) {
    for (int64_t i = 0; i < X->n; i++)
        if (ny_matrix_is_sparse(X))
            for (int64_t e = X->ptr[i]; e < X->ptr[i + 1]; e++) X->val[e] *= factor[X->idx[e]];
        else
            for (int64_t j = 0; j < X->d; j++) X->x[j + i * X->d] = (X->x[j + i * X->d] - shift[j]) * factor[j];
}

/* 1 / sqrt(sum of var_j),  var_j = 1 / factor_j^2; constant inputs (factor 0) stay out. */
void ny_scale_together(int64_t count, double *factor) {
    double sum = 0;
    for (int64_t j = 0; j < count; j++)
        if (factor[j] > 0) sum += 1 / (factor[j] * factor[j]);
    for (int64_t j = 0; j < count; j++)
        if (factor[j] > 0) factor[j] = 1 / sqrt(sum);
}
