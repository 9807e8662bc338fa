/* model_save.c: a model as an uncompressed zip of .npy arrays and meta.json, which numpy.load opens as it is.
 *
 * The archive is put together in memory and then written through ny_outfile, so that a full disk or a missing
 * permission is reported in our words and never leaves half a model behind. Equal models give equal bytes. */
#include <math.h>
#include <string.h>
#include <zip.h>

#include "json_util.h"
#include "model_file.h"
#include "model_meta.h"
#include "npy.h"
#include "points.h"

enum { ENTRIES_MAX = 28, CHUNK = 1 << 18 };

typedef struct writer {
    ny_ctx *ctx;
    zip_t *archive;
    int entries;
    char header[ENTRIES_MAX][NY_NPY_HEADER]; /* libzip reads them when it closes the archive */
} writer;

static ny_status zip_failed(ny_ctx *ctx, zip_error_t *error) {
    ny_status code = zip_error_code_zip(error) == ZIP_ER_MEMORY ? NY_ERR_MEMORY : NY_ERR_FILE;
    return ny_error(ctx, code, "the model cannot be packed: %s", zip_error_strerror(error));
}

/* One stored entry with a fixed date (1 January 1980, the zero of DOS time). */
static ny_status add(writer *w, const char *name, const zip_buffer_fragment_t *part, uint64_t parts) {
    zip_source_t *source = zip_source_buffer_fragment(w->archive, part, parts, 0);
    zip_int64_t index = source ? zip_file_add(w->archive, name, source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
        zip_source_free(source);
        return zip_failed(w->ctx, zip_get_error(w->archive));
    }
    if (zip_set_file_compression(w->archive, (zip_uint64_t)index, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(w->archive, (zip_uint64_t)index, 0, 1 << 5 | 1, 0) != 0)
        return zip_failed(w->ctx, zip_get_error(w->archive));
    w->entries++;
    return NY_OK;
}

static ny_status add_array(writer *w, const char *name, ny_npy array, const void *numbers) {
    char *header = w->header[w->entries];
    ny_npy_header(&array, header);
    zip_buffer_fragment_t part[2] = {{(zip_uint8_t *)header, NY_NPY_HEADER},
                                     {(zip_uint8_t *)(uintptr_t)numbers, (zip_uint64_t)array.bytes}};
    return add(w, name, part, array.bytes > 0 ? 2 : 1);
}

static ny_status add_reals(writer *w, const char *name, int dims, int64_t rows, int64_t columns, const double *v) {
    for (int64_t i = 0; i < rows * columns; i++)
        if (!isfinite(v[i]))
            return ny_error(w->ctx, NY_ERR_NUMERIC, "the model cannot be saved: %s is not finite everywhere", name);
    return add_array(w, name, (ny_npy){.type = NY_NPY_F64, .dims = dims, .shape = {rows, columns}}, v);
}

static ny_status add_landmarks(writer *w, const ny_matrix *Z) {
    ny_status st;
    if (!ny_matrix_is_sparse(Z)) return add_reals(w, NY_ENTRY_LANDMARKS, 2, Z->n, Z->d, Z->x);
    int64_t entries = Z->ptr[Z->n];
    NY_TRY(add_array(w, NY_ENTRY_PTR, (ny_npy){.type = NY_NPY_I64, .dims = 1, .shape = {Z->n + 1, 1}}, Z->ptr));
    NY_TRY(add_array(w, NY_ENTRY_IDX, (ny_npy){.type = NY_NPY_I32, .dims = 1, .shape = {entries, 1}}, Z->idx));
    NY_TRY(add_reals(w, NY_ENTRY_VAL, 1, entries, 1, Z->val));
done:
    return st;
}

/* What not every model has. */
static ny_status add_confidence(writer *w, const ny_model *model) {
    ny_status st = NY_OK;
    const ny_posterior *p = &model->posterior;
    if (model->frequency) NY_TRY(add_reals(w, NY_ENTRY_FREQUENCY, 1, model->classes, 1, model->frequency));
    if (model->prior) NY_TRY(add_reals(w, NY_ENTRY_PRIOR, 1, model->classes, 1, model->prior));
    if (!p->r) goto done;
    NY_TRY(add_reals(w, NY_ENTRY_MAP, 2, p->r, p->m, p->map));
    NY_TRY(add_reals(w, NY_ENTRY_MEAN, 1, p->r, 1, p->mean));
    NY_TRY(add_reals(w, NY_ENTRY_DIAG, 1, p->r, 1, p->diag));
    NY_TRY(add_reals(w, NY_ENTRY_OFF, 1, p->r, 1, p->off));
    NY_TRY(add_reals(w, NY_ENTRY_NOISE, 1, p->q, 1, p->noise));
    NY_TRY(add_reals(w, NY_ENTRY_SHARE, 1, 1, 1, &p->share));
    if (p->spread != 1) NY_TRY(add_reals(w, NY_ENTRY_SPREAD, 1, 1, 1, &p->spread));
    if (model->error_size) NY_TRY(add_reals(w, NY_ENTRY_QUANTILE, 1, NY_QUANTILES, 1, model->error_size));
    if (model->moderation)
        NY_TRY(add_reals(w, NY_ENTRY_MODERATION, 2, ny_expansion_width(&model->f), NY_MODERATION,
                         &model->moderation->minus));
done:
    return st;
}

static ny_status add_bend(writer *w, const ny_bend *bend) {
    ny_status st;
    int64_t knots = bend->ptr[bend->d];
    ny_npy ptr = {.type = NY_NPY_I64, .dims = 1, .shape = {bend->d + 1, 1}};
    NY_TRY(add_array(w, NY_ENTRY_KNOTS_PTR, ptr, bend->ptr));
    NY_TRY(add_reals(w, NY_ENTRY_KNOTS, 1, knots, 1, bend->x));
    NY_TRY(add_reals(w, NY_ENTRY_KNOTS_Z, 1, knots, 1, bend->z));
    NY_TRY(add_reals(w, NY_ENTRY_LOG, 2, 2, bend->d, bend->log));
done:
    return st;
}

/* What the file has of the machines: of one as it is, of several the points once and the numbers machine by machine. */
typedef struct {
    ny_matrix Z;    /* where it is not the only machine's own */
    int32_t *index; /* all points: which of Z; NULL: there is one machine */
    double *beta, *b;
    int64_t points; /* of all machines */
    int64_t numbers;
} packed;

static void packed_clear(packed *p) {
    ny_matrix_clear(&p->Z);
    ny_free(p->index);
    ny_free(p->beta);
    ny_free(p->b);
}

static ny_status pack_machines(ny_ctx *ctx, const ny_expansion *f, packed *p) {
    ny_status st = NY_OK;
    int64_t at = 0, output = 0;
    if (!f->next) return NY_OK;
    p->points = ny_expansion_points(f);
    for (const ny_expansion *g = f; g; g = g->next) p->numbers += g->Z.n * g->outputs;
    NY_TRY(ny_points_share(ctx, f, &p->Z, &p->index));
    NY_NEW_RAW(ctx, p->beta, p->numbers);
    NY_NEW_RAW(ctx, p->b, ny_expansion_width(f));
    for (; f; f = f->next) {
        memcpy(p->beta + at, f->beta, (size_t)(f->Z.n * f->outputs) * sizeof *p->beta);
        memcpy(p->b + output, f->b, (size_t)f->outputs * sizeof *p->b);
        at += f->Z.n * f->outputs;
        output += f->outputs;
    }
done:
    return st;
}

static ny_status add_machines(writer *w, const ny_expansion *f, const packed *p) {
    ny_status st;
    int64_t outputs = ny_expansion_width(f);
    NY_TRY(add_landmarks(w, p->index ? &p->Z : &f->Z));
    if (p->index) {
        ny_npy points = {.type = NY_NPY_I32, .dims = 1, .shape = {p->points, 1}};
        NY_TRY(add_array(w, NY_ENTRY_POINTS, points, p->index));
        NY_TRY(add_reals(w, NY_ENTRY_BETA, 1, p->numbers, 1, p->beta));
    } else NY_TRY(add_reals(w, NY_ENTRY_BETA, 2, outputs, f->Z.n, f->beta));
    NY_TRY(add_reals(w, NY_ENTRY_BIAS, 1, outputs, 1, p->index ? p->b : f->b));
done:
    return st;
}

static ny_status add_entries(writer *w, const ny_model *model, const packed *p, const char *meta, int64_t length) {
    ny_status st;
    NY_TRY(add(w, NY_ENTRY_META, &(zip_buffer_fragment_t){(zip_uint8_t *)(uintptr_t)meta, (zip_uint64_t)length}, 1));
    NY_TRY(add_reals(w, NY_ENTRY_SHIFT, 1, model->schema.inputs, 1, model->shift));
    NY_TRY(add_reals(w, NY_ENTRY_FACTOR, 1, model->schema.inputs, 1, model->factor));
    if (model->bend.d > 0) NY_TRY(add_bend(w, &model->bend));
    if (model->range) NY_TRY(add_reals(w, NY_ENTRY_RANGE, 2, 2, model->schema.inputs, model->range));
    NY_TRY(add_machines(w, &model->f, p));
    NY_TRY(add_reals(w, NY_ENTRY_C, 1, ny_expansion_width(&model->f), 1, model->C));
    NY_TRY(add_reals(w, NY_ENTRY_CALIBRATION, 1, model->calibration ? 2 : 0, 1, model->calibration));
    NY_TRY(add_confidence(w, model));
done:
    return st;
}

/* The finished archive's bytes, out of libzip's memory into the file. */
static ny_status copy_out(ny_ctx *ctx, zip_source_t *source, const char *path) {
    ny_status st;
    ny_outfile *out = NULL;
    char *chunk = NULL;
    zip_int64_t got;
    if (zip_source_open(source) != 0) return zip_failed(ctx, zip_source_error(source));
    NY_NEW_RAW(ctx, chunk, CHUNK);
    NY_TRY(ny_outfile_open(ctx, path, &out));
    while ((got = zip_source_read(source, chunk, CHUNK)) > 0)
        if (fwrite(chunk, 1, (size_t)got, ny_outfile_stream(out)) != (size_t)got)
            break; /* the commit finds it and says so */
    if (got < 0) {
        st = zip_failed(ctx, zip_source_error(source));
        goto done;
    }
    st = ny_outfile_commit(ctx, &out);
done:
    ny_outfile_abort(out);
    zip_source_close(source);
    ny_free(chunk);
    return st;
}

/* What the reader refuses must not get into a file. */
static ny_status check_model(ny_ctx *ctx, const ny_model *model) {
    ny_status st = NY_OK;
    for (const ny_expansion *f = &model->f; f; f = f->next) {
        const ny_kernel_params *p = &f->kernel;
        NY_CHECK(ctx, f->Z.n > 0, NY_ERR_NUMERIC, "the model cannot be saved: it has no landmarks");
        NY_CHECK(ctx, isfinite(p->coef0) && (!p->kernel->has_bandwidth || (isfinite(p->bandwidth) && p->bandwidth > 0)),
                 NY_ERR_NUMERIC, "the model cannot be saved: bandwidth %g, coef0 %g", p->bandwidth, p->coef0);
    }
    for (int64_t i = 0; i < model->schema.columns; i++)
        NY_CHECK(ctx, isfinite(model->schema.column[i].mean), NY_ERR_NUMERIC,
                 "the model cannot be saved: the mean of column '%s' is not finite", model->schema.column[i].name);
done:
    return st;
}

ny_status ny_model_save(ny_ctx *ctx, const ny_model *model, const char *path) {
    ny_status st;
    json_t *meta = NULL;
    char *text = NULL;
    int64_t length;
    writer *w = NULL;
    packed p = {0};
    zip_source_t *source = NULL;
    zip_error_t error;
    NY_NEEDS(ctx, ctx && model && path, "a context, a model and a path");
    zip_error_init(&error);

    NY_TRY(check_model(ctx, model));
    NY_TRY(pack_machines(ctx, &model->f, &p));
    NY_TRY(ny_meta_write(ctx, model, p.index ? p.Z.n : model->f.Z.n, &meta));
    NY_TRY(ny_json_dump(ctx, meta, &text, &length));
    NY_NEW(ctx, w, 1);
    w->ctx = ctx;
    source = zip_source_buffer_create(NULL, 0, 0, &error);
    w->archive = source ? zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error) : NULL;
    if (!w->archive) {
        st = zip_failed(ctx, &error);
        goto done;
    }
    zip_source_keep(source); /* the archive owns one reference and gives it up when closed */
    NY_TRY(add_entries(w, model, &p, text, length));
    if (zip_close(w->archive) != 0) {
        st = zip_failed(ctx, zip_get_error(w->archive));
        goto done;
    }
    w->archive = NULL;
    st = copy_out(ctx, source, path);
done:
    if (w && w->archive) zip_discard(w->archive);
    zip_source_free(source);
    zip_error_fini(&error);
    ny_free(w);
    packed_clear(&p);
    ny_free(text);
    json_decref(meta);
    return st;
}
