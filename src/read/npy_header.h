/* npy_header.h: the header of a .npy file (format versions 1 to 3), read as a hostile text. */
#ifndef NY_NPY_HEADER_H
#define NY_NPY_HEADER_H

#include "source.h"

typedef struct ny_array_info {
    int64_t rows, columns; /* one-dimensional arrays have one column */
    char kind;             /* f, i, u or b, as numpy names them */
    int64_t item;          /* bytes of one number */
    bool big_endian;
    bool fortran; /* columns are contiguous, not rows */
} ny_array_info;

/* Reads the header and moves the source to the first number. rows * columns * item fits an int64_t. */
ny_status ny_array_info_read(ny_ctx *ctx, ny_source *source, ny_array_info *info);

/* One row's numbers: the first at p, each `stride` items behind the one before. */
void ny_array_numbers(const ny_array_info *info, const char *p, int64_t stride, double *numbers);

#endif
