/* model_zip.c: entries are stored, not compressed, so what the directory says of their sizes can be held against the
 * size of the file before anything is allocated. (libzip does the same with the size of the directory itself.) */
#include "model_zip.h"

#include <string.h>

static ny_status zip_failed(ny_ctx *ctx, zip_error_t *error) {
    int code = zip_error_code_zip(error);
    if (code == ZIP_ER_MEMORY) return ny_error(ctx, NY_ERR_MEMORY, "out of memory");
    if (code == ZIP_ER_NOZIP) return ny_error(ctx, NY_ERR_MODEL, "the zip archive is cut short or damaged");
    return ny_error(ctx, code == ZIP_ER_READ ? NY_ERR_FILE : NY_ERR_MODEL, "%s", zip_error_strerror(error));
}

/* Says "not a model" plainly where libzip would only find no directory. */
static ny_status check_magic(ny_ctx *ctx, zip_source_t *source) {
    char magic[4] = {0};
    if (zip_source_open(source) != 0) return zip_failed(ctx, zip_source_error(source));
    zip_int64_t got = zip_source_read(source, magic, sizeof magic);
    zip_source_close(source);
    if (got < 0) return ny_error(ctx, NY_ERR_FILE, "cannot be read");
    if (memcmp(magic, "PK\3\4", sizeof magic) != 0)
        return ny_error(ctx, NY_ERR_MODEL, "not a nysel model (those are zip archives)");
    return NY_OK;
}

ny_status ny_zip_open(ny_ctx *ctx, zip_source_t *source, int64_t file_size, ny_zip *zip) {
    *zip = (ny_zip){.ctx = ctx, .budget = file_size};
    ny_status st = check_magic(ctx, source);
    if (st == NY_OK) {
        zip_error_t error;
        zip_error_init(&error);
        zip->archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
        if (!zip->archive) st = zip_failed(ctx, &error);
        zip_error_fini(&error);
    }
    if (!zip->archive) zip_source_free(source);
    return st;
}

void ny_zip_close(ny_zip *zip) {
    if (zip->archive) zip_discard(zip->archive);
    zip->archive = NULL;
}

/* ---- entries -------------------------------------------------------------------------------------------------- */

bool ny_zip_has(ny_zip *zip, const char *name) {
    return zip_name_locate(zip->archive, name, 0) >= 0;
}

static ny_status open_entry(ny_zip *zip, const char *name, zip_file_t **file, int64_t *size) {
    const zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC;
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat(zip->archive, name, 0, &stat) != 0) {
        if (zip_error_code_zip(zip_get_error(zip->archive)) != ZIP_ER_NOENT)
            return zip_failed(zip->ctx, zip_get_error(zip->archive));
        return ny_error(zip->ctx, NY_ERR_MODEL, "the archive has no such entry");
    }
    if ((stat.valid & needed) != needed || stat.comp_method != ZIP_CM_STORE || stat.comp_size != stat.size)
        return ny_error(zip->ctx, NY_ERR_MODEL, "the entry is not stored as it is (compressed?)");
    if (stat.size > (zip_uint64_t)zip->budget)
        return ny_error(zip->ctx, NY_ERR_MODEL, "the entry claims more bytes than the file has");
    zip->budget -= (int64_t)stat.size;
    *size = (int64_t)stat.size;
    *file = zip_fopen_index(zip->archive, stat.index, 0);
    return *file ? NY_OK : zip_failed(zip->ctx, zip_get_error(zip->archive));
}

static ny_status read_bytes(ny_zip *zip, zip_file_t *file, void *to, int64_t bytes) {
    for (int64_t done = 0; done < bytes;) {
        zip_int64_t got = zip_fread(file, (char *)to + done, (zip_uint64_t)(bytes - done));
        if (got < 0) return zip_failed(zip->ctx, zip_file_get_error(file));
        if (got == 0) return ny_error(zip->ctx, NY_ERR_MODEL, "the entry ends too early");
        done += got;
    }
    return NY_OK;
}

/* libzip compares the CRC when it meets the end of the entry, so the end has to be read. */
static ny_status read_end(ny_zip *zip, zip_file_t *file) {
    char beyond;
    zip_int64_t got = zip_fread(file, &beyond, 1);
    if (got < 0) return zip_failed(zip->ctx, zip_file_get_error(file));
    return got == 0 ? NY_OK : ny_error(zip->ctx, NY_ERR_MODEL, "the entry is longer than it says");
}

ny_status ny_zip_read_text(ny_zip *zip, const char *name, char **text, int64_t *size) {
    ny_status st;
    zip_file_t *file = NULL;
    char *buffer = NULL;
    NY_TRY(open_entry(zip, name, &file, size));
    NY_NEW(zip->ctx, buffer, *size + 1);
    NY_TRY(read_bytes(zip, file, buffer, *size));
    NY_TRY(read_end(zip, file));
    *text = buffer;
    buffer = NULL;
done:
    ny_free(buffer);
    if (file) zip_fclose(file);
    return st == NY_OK ? st : ny_error_prefix(zip->ctx, st, "%s: ", name);
}

static ny_status check_shape(ny_ctx *ctx, const ny_npy *expected, const ny_npy *array) {
    ny_status st = NY_OK;
    NY_CHECK(ctx, array->type == expected->type && array->dims == expected->dims, NY_ERR_MODEL,
             "the array has another type or another number of dimensions than expected");
    NY_CHECK(ctx, expected->shape[0] == -1 || array->shape[0] == expected->shape[0], NY_ERR_MODEL,
             "%lld rows where %lld are expected", (long long)array->shape[0], (long long)expected->shape[0]);
    NY_CHECK(ctx, array->dims == 1 || expected->shape[1] == -1 || array->shape[1] == expected->shape[1], NY_ERR_MODEL,
             "%lld columns where %lld are expected", (long long)array->shape[1], (long long)expected->shape[1]);
done:
    return st;
}

ny_status ny_zip_read_array(ny_zip *zip, const char *name, ny_npy *expected, void **numbers) {
    ny_status st;
    zip_file_t *file = NULL;
    char header[4 * NY_NPY_HEADER], *block = NULL;
    int64_t size = 0;
    ny_npy array;
    NY_TRY(open_entry(zip, name, &file, &size));
    NY_TRY(read_bytes(zip, file, header, NY_NPY_PREFIX));
    int64_t length = ny_npy_header_length(header);
    NY_CHECK(zip->ctx, length > 0 && length <= (int64_t)sizeof header, NY_ERR_MODEL, "not a .npy array of version 1.0");
    NY_TRY(read_bytes(zip, file, header + NY_NPY_PREFIX, length - NY_NPY_PREFIX));
    NY_TRY(ny_npy_parse(zip->ctx, header, length, size, &array));
    NY_TRY(check_shape(zip->ctx, expected, &array));
    NY_NEW_RAW(zip->ctx, block, array.bytes);
    NY_TRY(read_bytes(zip, file, block, array.bytes));
    NY_TRY(read_end(zip, file));
    *expected = array;
    *numbers = block;
    block = NULL;
done:
    ny_free(block);
    if (file) zip_fclose(file);
    return st == NY_OK ? st : ny_error_prefix(zip->ctx, st, "%s: ", name);
}
