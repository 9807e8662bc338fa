/* model_load.c: a model from a file that is not trusted. meta.json tells the sizes; every array must have exactly
 * the shape they imply and hold finite numbers only. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "json_util.h"
#include "model_file.h"
#include "model_meta.h"
#include "model_zip.h"

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

/* rows (-1: any) x columns; dims = 1 is a vector of `rows`. */
static ny_status read_reals(ny_zip *zip, const char *name, int dims, int64_t rows, int64_t columns, double **v,
                            int64_t *length) {
    void *numbers = NULL;
    ny_npy array = {.type = NY_NPY_F64, .dims = dims, .shape = {rows, columns}};
    ny_status st = ny_zip_read_array(zip, name, &array, &numbers);
    if (st != NY_OK) return st;
    *v = numbers;
    if (length) *length = array.shape[0];
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
    NY_TRY(read_landmarks(zip, &layout, model->schema.inputs, &model->Z));
    NY_TRY(read_reals(zip, NY_ENTRY_BETA, 2, model->outputs, layout.landmarks, &model->beta, NULL));
    NY_TRY(read_reals(zip, NY_ENTRY_BIAS, 1, model->outputs, 1, &model->b, NULL));
    NY_TRY(read_reals(zip, NY_ENTRY_C, 1, model->outputs, 1, &model->C, NULL));
    NY_TRY(read_reals(zip, NY_ENTRY_CALIBRATION, 1, -1, 1, &model->calibration, &slopes));
    NY_CHECK(zip->ctx, slopes == 2 || (slopes == 0 && model->classes == 0), NY_ERR_MODEL,
             NY_ENTRY_CALIBRATION ": %lld values where 2 are expected", (long long)slopes);
    if (slopes == 0) { /* regression has no probabilities */
        ny_free(model->calibration);
        model->calibration = NULL;
    }
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
