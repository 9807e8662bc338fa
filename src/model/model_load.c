/* model_load.c: a model from a file that is not trusted. meta.json tells the sizes; every array must have exactly
 * the shape they imply and hold finite numbers only. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/stack.h"
#include "json_util.h"
#include "model_file.h"
#include "model_meta.h"
#include "model_zip.h"
#include "points.h"

static ny_status read_meta(ny_zip *zip, ny_model *model, ny_model_layout *layout) {
    ny_status st;
    char *text = NULL;
    int64_t size;
    json_t *meta = NULL;
    json_error_t error = {0};
    NY_TRY(ny_zip_read_text(zip, NY_ENTRY_META, &text, &size));
    meta = json_loadb(text, (size_t)size, JSON_REJECT_DUPLICATES, &error);
    if (!meta && (error.text[0] == 0 || json_error_code(&error) == json_error_out_of_memory))
        NY_FAIL(zip->ctx, NY_ERR_MEMORY, "out of memory while reading " NY_ENTRY_META);
    NY_CHECK(zip->ctx, meta, NY_ERR_MODEL, NY_ENTRY_META ":%d:%d: %s", error.line, error.column, error.text);
    st = ny_meta_read(zip->ctx, meta, model, layout);
    if (st == NY_ERR_MODEL) ny_error_prefix(zip->ctx, st, NY_ENTRY_META ": ");
done:
    json_decref(meta);
    ny_free(text);
    return st;
}

/* rows x columns, one of which may be -1: any number, which becomes `length`; dims = 1 is a vector of `rows`. */
static ny_status read_reals(ny_zip *zip, const char *name, int dims, int64_t rows, int64_t columns, double **v,
                            int64_t *length) {
    void *numbers = NULL;
    ny_npy array = {.type = NY_NPY_F64, .dims = dims, .shape = {rows, columns}};
    ny_status st = ny_zip_read_array(zip, name, &array, &numbers);
    if (st != NY_OK) return st;
    *v = numbers;
    if (length) *length = array.shape[rows == -1 ? 0 : 1];
    for (int64_t i = 0; i < array.bytes / ny_npy_item(array.type); i++)
        if (!isfinite((*v)[i]))
            return ny_error(zip->ctx, NY_ERR_MODEL, "%s: value %lld is not finite", name, (long long)i);
    return NY_OK;
}

static ny_status check_sparse(ny_ctx *ctx, const ny_matrix *Z, int64_t entries) {
    const char *what = NULL;
    if (Z->ptr[0] != 0 || Z->ptr[Z->n] != entries) what = NY_ENTRY_PTR ": does not span the entries";
    for (int64_t i = 0; i < Z->n && !what; i++)
        if (Z->ptr[i] > Z->ptr[i + 1] || Z->ptr[i + 1] > entries) what = NY_ENTRY_PTR ": is not ascending";
    for (int64_t i = 0; i < Z->n && !what; i++)
        for (int64_t k = Z->ptr[i]; k < Z->ptr[i + 1] && !what; k++) {
            if (Z->idx[k] < 0 || Z->idx[k] >= Z->d) what = NY_ENTRY_IDX ": an index is out of range";
            else if (k > Z->ptr[i] && Z->idx[k] <= Z->idx[k - 1]) what = NY_ENTRY_IDX ": indices are not ascending";
        }
    return what ? ny_error(ctx, NY_ERR_MODEL, "%s", what) : NY_OK;
}

static ny_status read_landmarks(ny_zip *zip, const ny_model_layout *layout, int64_t d, ny_matrix *Z) {
    ny_status st;
    void *numbers = NULL;
    int64_t entries;
    Z->d = d;
    Z->n = layout->landmarks;
    if (!layout->sparse) return read_reals(zip, NY_ENTRY_LANDMARKS, 2, Z->n, d, &Z->x, NULL);
    ny_npy ptr = {.type = NY_NPY_I64, .dims = 1, .shape = {Z->n + 1, 1}};
    NY_TRY(ny_zip_read_array(zip, NY_ENTRY_PTR, &ptr, &numbers));
    Z->ptr = numbers;
    ny_npy idx = {.type = NY_NPY_I32, .dims = 1, .shape = {-1, 1}};
    NY_TRY(ny_zip_read_array(zip, NY_ENTRY_IDX, &idx, &numbers));
    Z->idx = numbers;
    entries = idx.shape[0];
    NY_TRY(read_reals(zip, NY_ENTRY_VAL, 1, entries, 1, &Z->val, NULL));
    NY_TRY(check_sparse(zip->ctx, Z, entries));
done:
    return st;
}

/* Several machines: the points of each are some of Z, and their numbers follow one another. */
static ny_status read_list(ny_zip *zip, const ny_matrix *Z, ny_expansion *f) {
    ny_status st;
    double *beta = NULL, *b = NULL;
    void *index = NULL;
    int64_t points = ny_expansion_points(f), numbers = 0, at = 0, output = 0;
    for (const ny_expansion *g = f; g; g = g->next) {
        int64_t own = ny_size3(g->Z.n, g->outputs, 1); /* both are 31 bits */
        NY_CHECK(zip->ctx, !__builtin_add_overflow(numbers, own, &numbers), NY_ERR_MODEL,
                 NY_ENTRY_META ": the machines have more coefficients than any file");
    }
    ny_npy list = {.type = NY_NPY_I32, .dims = 1, .shape = {points, 1}};
    NY_TRY(ny_zip_read_array(zip, NY_ENTRY_POINTS, &list, &index));
    NY_TRY(read_reals(zip, NY_ENTRY_BETA, 1, numbers, 1, &beta, NULL));
    NY_TRY(read_reals(zip, NY_ENTRY_BIAS, 1, ny_expansion_width(f), 1, &b, NULL));
    st = ny_points_spread(zip->ctx, Z, index, f);
    if (st == NY_ERR_MODEL) ny_error_prefix(zip->ctx, st, NY_ENTRY_POINTS ": ");
    for (; f && st == NY_OK; at += f->Z.n * f->outputs, output += f->outputs, f = f->next) {
        NY_NEW_RAW(zip->ctx, f->beta, f->Z.n * f->outputs);
        NY_NEW_RAW(zip->ctx, f->b, f->outputs);
        memcpy(f->beta, beta + at, (size_t)(f->Z.n * f->outputs) * sizeof *beta);
        memcpy(f->b, b + output, (size_t)f->outputs * sizeof *b);
    }
done:
    ny_free(index);
    ny_free(beta);
    ny_free(b);
    return st;
}

/* Landmarks, coefficients and biases of one machine or of several. */
static ny_status read_machines(ny_zip *zip, const ny_model_layout *layout, ny_model *model) {
    ny_status st;
    ny_expansion *f = &model->f;
    ny_matrix Z = {0};
    NY_TRY(read_landmarks(zip, layout, model->schema.inputs, f->next ? &Z : &f->Z));
    if (f->next) NY_TRY(read_list(zip, &Z, f));
    else {
        NY_TRY(read_reals(zip, NY_ENTRY_BETA, 2, f->outputs, layout->landmarks, &f->beta, NULL));
        NY_TRY(read_reals(zip, NY_ENTRY_BIAS, 1, f->outputs, 1, &f->b, NULL));
    }
done:
    ny_matrix_clear(&Z);
    return st;
}

static bool ascending(int64_t n, const double *v) {
    for (int64_t i = 1; i < n; i++)
        if (v[i - 1] > v[i]) return false;
    return true;
}

static bool all_above(int64_t n, const double *v, double least) {
    for (int64_t i = 0; i < n; i++)
        if (!(v[i] > least)) return false;
    return true;
}

/* The least values of the inputs and the largest; nothing in files of older versions. */
static ny_status read_range(ny_zip *zip, int64_t inputs, double **range) {
    ny_status st = NY_OK;
    if (!ny_zip_has(zip, NY_ENTRY_RANGE)) goto done;
    NY_TRY(read_reals(zip, NY_ENTRY_RANGE, 2, 2, inputs, range, NULL));
    for (int64_t j = 0; j < inputs; j++)
        NY_CHECK(zip->ctx, (*range)[j] <= (*range)[j + inputs], NY_ERR_MODEL,
                 NY_ENTRY_RANGE ": input %lld has its least value above its largest", (long long)j + 1);
done:
    return st;
}

/* How inputs are bent; nothing where all are straight. */
static ny_status read_bend(ny_zip *zip, int64_t inputs, bool sparse, ny_bend *bend) {
    ny_status st;
    void *numbers = NULL;
    int64_t knots;
    ny_npy ptr = {.type = NY_NPY_I64, .dims = 1, .shape = {inputs + 1, 1}};
    NY_CHECK(zip->ctx, !sparse, NY_ERR_MODEL, NY_ENTRY_KNOTS_PTR ": sparse inputs cannot be bent");
    NY_TRY(ny_zip_read_array(zip, NY_ENTRY_KNOTS_PTR, &ptr, &numbers));
    bend->ptr = numbers;
    NY_TRY(read_reals(zip, NY_ENTRY_KNOTS, 1, -1, 1, &bend->x, &knots));
    NY_TRY(read_reals(zip, NY_ENTRY_KNOTS_Z, 1, knots, 1, &bend->z, NULL));
    NY_TRY(read_reals(zip, NY_ENTRY_LOG, 2, 2, inputs, &bend->log, NULL));
    bend->d = inputs;
    bend->room = knots;
    const char *fault = ny_bend_fault(bend, knots);
    NY_CHECK(zip->ctx, !fault, NY_ERR_MODEL, NY_ENTRY_KNOTS ": %s", fault);
done:
    return st;
}

/* A share for each class, of 1 in all; nothing where the file has none. */
static ny_status read_shares(ny_zip *zip, const char *name, int64_t classes, double **v) {
    ny_status st = NY_OK;
    double sum = 0;
    if (!ny_zip_has(zip, name)) goto done;
    NY_TRY(read_reals(zip, name, 1, classes, 1, v, NULL));
    for (int64_t k = 0; k < classes; k++) sum += (*v)[k];
    NY_CHECK(zip->ctx, classes > 0 && all_above(classes, *v, -1e-300) && fabs(sum - 1) < 1e-6, NY_ERR_MODEL,
             "%s: not shares of the classes", name);
done:
    return st;
}

static ny_status read_posterior(ny_zip *zip, ny_model *model, int64_t landmarks) {
    ny_status st = NY_OK;
    ny_posterior *p = &model->posterior;
    double *share = NULL, *spread = NULL;
    if (!ny_zip_has(zip, NY_ENTRY_MAP)) goto done;
    NY_CHECK(zip->ctx, !model->f.next, NY_ERR_MODEL, NY_ENTRY_MAP ": several machines have no posterior in common");
    p->q = model->f.outputs;
    NY_TRY(read_reals(zip, NY_ENTRY_MEAN, 1, -1, 1, &p->mean, &p->r));
    NY_TRY(read_reals(zip, NY_ENTRY_MAP, 2, p->r, -1, &p->map, &p->m));
    NY_CHECK(zip->ctx, p->m > 0 && p->m <= landmarks, NY_ERR_MODEL,
             NY_ENTRY_MAP ": %lld columns, and there are %lld landmarks", (long long)p->m, (long long)landmarks);
    NY_TRY(read_reals(zip, NY_ENTRY_DIAG, 1, p->r, 1, &p->diag, NULL));
    NY_TRY(read_reals(zip, NY_ENTRY_OFF, 1, p->r, 1, &p->off, NULL));
    NY_TRY(read_reals(zip, NY_ENTRY_NOISE, 1, p->q, 1, &p->noise, NULL));
    NY_TRY(read_reals(zip, NY_ENTRY_SHARE, 1, 1, 1, &share, NULL));
    p->share = *share;
    if (ny_zip_has(zip, NY_ENTRY_SPREAD)) NY_TRY(read_reals(zip, NY_ENTRY_SPREAD, 1, 1, 1, &spread, NULL));
    p->spread = spread ? *spread : 1;
    NY_CHECK(zip->ctx, p->spread >= 0, NY_ERR_MODEL, NY_ENTRY_SPREAD ": below 0");
    NY_CHECK(zip->ctx, p->r > 0 && p->share >= 0 && all_above(p->q, p->noise, 0) && all_above(p->q, model->C, 0),
             NY_ERR_MODEL, NY_ENTRY_NOISE ": the posterior has no rank, or a variance that is not above 0");
    if (ny_zip_has(zip, NY_ENTRY_QUANTILE)) {
        NY_TRY(read_reals(zip, NY_ENTRY_QUANTILE, 1, NY_QUANTILES, 1, &model->error_size, NULL));
        NY_CHECK(zip->ctx, model->error_size[0] >= 0 && ascending(NY_QUANTILES, model->error_size), NY_ERR_MODEL,
                 NY_ENTRY_QUANTILE ": not ascending from 0 on");
    }
    if (ny_zip_has(zip, NY_ENTRY_MODERATION)) {
        double *numbers = NULL;
        st = read_reals(zip, NY_ENTRY_MODERATION, 2, model->f.outputs, NY_MODERATION, &numbers, NULL);
        model->moderation = (ny_moderation *)(void *)numbers;
        if (st != NY_OK) goto done;
        for (int64_t j = 0; j < model->f.outputs; j++)
            NY_CHECK(zip->ctx, model->classes > 0 && model->moderation[j].within > 0, NY_ERR_MODEL,
                     NY_ENTRY_MODERATION ": a variance is not above 0");
    }
done:
    ny_free(spread);
    ny_free(share);
    return st;
}

static ny_status read_model(ny_zip *zip, int64_t file_size, ny_model *model) {
    ny_status st;
    ny_model_layout layout = {0};
    int64_t slopes;
    NY_TRY(read_meta(zip, model, &layout));
    int64_t most = file_size < INT32_MAX ? file_size : INT32_MAX; /* each takes 8 bytes; 32-bit indices count them */
    NY_CHECK(zip->ctx, layout.landmarks >= 1 && layout.landmarks <= most && model->schema.inputs <= most, NY_ERR_MODEL,
             NY_ENTRY_META ": %lld landmarks with %lld inputs cannot be in a file of %lld bytes",
             (long long)layout.landmarks, (long long)model->schema.inputs, (long long)file_size);
    NY_TRY(read_reals(zip, NY_ENTRY_SHIFT, 1, model->schema.inputs, 1, &model->shift, NULL));
    NY_TRY(read_reals(zip, NY_ENTRY_FACTOR, 1, model->schema.inputs, 1, &model->factor, NULL));
    if (ny_zip_has(zip, NY_ENTRY_KNOTS_PTR)) NY_TRY(read_bend(zip, model->schema.inputs, layout.sparse, &model->bend));
    NY_TRY(read_range(zip, model->schema.inputs, &model->range));
    NY_TRY(read_machines(zip, &layout, model));
    NY_TRY(read_reals(zip, NY_ENTRY_C, 1, ny_expansion_width(&model->f), 1, &model->C, NULL));
    NY_TRY(read_reals(zip, NY_ENTRY_CALIBRATION, 1, -1, 1, &model->calibration, &slopes));
    NY_CHECK(zip->ctx, slopes == 2 || (slopes == 0 && model->classes == 0), NY_ERR_MODEL,
             NY_ENTRY_CALIBRATION ": %lld values where 2 are expected", (long long)slopes);
    if (slopes == 0) { /* regression has no probabilities */
        ny_free(model->calibration);
        model->calibration = NULL;
    }
    NY_TRY(read_shares(zip, NY_ENTRY_FREQUENCY, model->classes, &model->frequency));
    NY_TRY(read_shares(zip, NY_ENTRY_PRIOR, model->classes, &model->prior));
    NY_CHECK(zip->ctx, !model->prior || model->frequency, NY_ERR_MODEL, NY_ENTRY_PRIOR ": without " NY_ENTRY_FREQUENCY);
    NY_TRY(read_posterior(zip, model, layout.landmarks));
done:
    return st;
}

static ny_status load(ny_ctx *ctx, zip_source_t *source, int64_t size, const char *name, ny_model **model) {
    ny_status st;
    ny_model *fresh = NULL;
    ny_zip zip = {0};
    NY_TRY(ny_zip_open(ctx, source, size, &zip));
    NY_TRY(ny_model_new(ctx, &fresh));
    NY_TRY(read_model(&zip, size, fresh));
    *model = fresh;
    fresh = NULL;
done:
    ny_zip_close(&zip);
    ny_model_free(fresh);
    return st == NY_OK ? st : ny_error_prefix(ctx, st, "%s: ", name);
}

ny_status ny_model_load_memory(ny_ctx *ctx, const void *bytes, int64_t size, const char *name, ny_model **model) {
    zip_source_t *source = zip_source_buffer_create(bytes, (zip_uint64_t)size, 0, NULL);
    if (!source) return ny_error(ctx, NY_ERR_MEMORY, "%s: out of memory", name);
    return load(ctx, source, size, name, model);
}

ny_status ny_model_load(ny_ctx *ctx, const char *path, ny_model **model) {
    struct stat info;
    NY_NEEDS(ctx, ctx && path && model, "a context, a path and a place for the model");
    if (ny_stack_check(ctx) != NY_OK) return NY_ERR_MEMORY;
    FILE *file = fopen(path, "rbe");
    if (!file) return ny_error(ctx, NY_ERR_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) {
        fclose(file);
        return ny_error(ctx, NY_ERR_FILE, "%s: not a regular file", path);
    }
    zip_source_t *source = zip_source_filep_create(file, 0, -1, NULL);
    if (!source) {
        fclose(file);
        return ny_error(ctx, NY_ERR_MEMORY, "%s: out of memory", path);
    }
    return load(ctx, source, info.st_size, path, model);
}
