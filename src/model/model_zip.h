/* model_zip.h: reading the entries of a model file that is not trusted. Whatever the archive claims, no block is
 * allocated that is larger than the file, and all entries together may not be larger either. */
#ifndef NY_MODEL_ZIP_H
#define NY_MODEL_ZIP_H

#include <stdbool.h>
#include <zip.h>

#include "base/ctx.h"
#include "npy.h"

typedef struct ny_zip {
    ny_ctx *ctx;
    zip_t *archive;
    int64_t budget; /* bytes that entries may still hold: the file's size less what was read */
} ny_zip;

/* Takes over the source, also when it fails. */
ny_status ny_zip_open(ny_ctx *ctx, zip_source_t *source, int64_t file_size, ny_zip *zip);
/* Closes the archive; nothing is written. */
void ny_zip_close(ny_zip *zip);

/* Whether the archive has an entry of that name. */
bool ny_zip_has(ny_zip *zip, const char *name);

/* A whole entry, with a NUL behind it. */
ny_status ny_zip_read_text(ny_zip *zip, const char *name, char **text, int64_t *size);

/* An array of exactly this type and shape, with its CRC checked; shape[0] = -1 takes any length and returns it. */
ny_status ny_zip_read_array(ny_zip *zip, const char *name, ny_npy *expected, void **numbers);

#endif
