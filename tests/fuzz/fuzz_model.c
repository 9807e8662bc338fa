/* fuzz_model.c: any bytes as a model file. What is accepted must be fit to be reported and saved again.
 *
 * Checksums stop most mutated archives at the door, so two parts can also be reached directly: input that begins with
 * 'J' is a meta.json, with 'N' a .npy header. */
#include <stddef.h>
#include <stdint.h>

#include "model/model_file.h"
#include "model/model_meta.h"
#include "model/npy.h"
#include "nysel.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void try_file(ny_ctx *ctx, const uint8_t *bytes, size_t size) {
    ny_model *model = NULL;
    char *text = NULL;
    if (ny_model_load_memory(ctx, bytes, (int64_t)size, "fuzz", &model) != NY_OK) return;
    if (ny_model_summary(ctx, model, &text) == NY_OK) ny_text_free(text);
    if (ny_model_json(ctx, model, &text) == NY_OK) ny_text_free(text);
    if (ny_model_save(ctx, model, "/dev/null") != NY_OK) __builtin_trap();
    ny_model_free(model);
}

static void try_meta(ny_ctx *ctx, const uint8_t *bytes, size_t size) {
    json_t *meta = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, NULL), *again = NULL;
    ny_model *model = NULL;
    ny_model_layout layout;
    if (ny_model_new(ctx, &model) == NY_OK && meta && ny_meta_read(ctx, meta, model, &layout) == NY_OK &&
        ny_meta_write(ctx, model, layout.landmarks, &again) != NY_OK)
        __builtin_trap();
    json_decref(meta);
    json_decref(again);
    ny_model_free(model);
}

static void try_header(ny_ctx *ctx, const uint8_t *bytes, size_t size) {
    ny_npy array;
    int64_t length = (int64_t)size;
    if (ny_npy_parse(ctx, (const char *)bytes, length, length + 96, &array) == NY_OK && array.bytes != 96)
        __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ny_ctx *ctx = ny_ctx_new();
    if (!ctx) return 0;
    if (size > 0 && bytes[0] == 'J') try_meta(ctx, bytes + 1, size - 1);
    else if (size > 0 && bytes[0] == 'N') try_header(ctx, bytes + 1, size - 1);
    else try_file(ctx, bytes, size);
    ny_ctx_free(ctx);
    return 0;
}
