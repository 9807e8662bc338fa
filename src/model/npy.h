/* npy.h: the .npy header (version 1.0) of the arrays in a model file: little-endian float64, int32 or int64, C order,
 * one or two dimensions. The numbers themselves follow the header as they are in memory. */
#ifndef NY_NPY_H
#define NY_NPY_H

#include <stdint.h>

#include "base/ctx.h"

typedef enum { NY_NPY_F64, NY_NPY_I32, NY_NPY_I64 } ny_npy_type;

typedef struct ny_npy {
    ny_npy_type type;
    int dims;         /* 1 or 2 */
    int64_t shape[2]; /* C order: the last one runs fastest */
    int64_t offset;   /* bytes in front of the numbers */
    int64_t bytes;    /* of the numbers */
} ny_npy;

/* What ny_npy_header writes is this long, and numpy wants a multiple of 64. NY_NPY_PREFIX bytes tell how long the
 * header of any .npy is. */
enum { NY_NPY_HEADER = 128, NY_NPY_PREFIX = 10 };

int64_t ny_npy_item(ny_npy_type type); /* bytes of one number */

/* The header of an array; sets offset and bytes. shape must be non-negative and its bytes fit an int64_t. */
void ny_npy_header(ny_npy *array, char header[NY_NPY_HEADER]);

/* Length of the whole header from its first NY_NPY_PREFIX bytes; -1 when that is not a .npy of version 1.0. */
int64_t ny_npy_header_length(const char prefix[NY_NPY_PREFIX]);

/* Reads a header of `length` bytes, as ny_npy_header_length told, and checks that `total` bytes are exactly what
 * header and numbers need. Trusts nothing; NY_ERR_MODEL with what was wrong. */
ny_status ny_npy_parse(ny_ctx *ctx, const char *header, int64_t length, int64_t total, ny_npy *array);

#endif
