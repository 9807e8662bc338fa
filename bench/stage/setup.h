/* setup.h: what bench_stage.c measures with: rows, files, matrices, a model. */
#ifndef NY_BENCH_SETUP_H
#define NY_BENCH_SETUP_H

#include <inttypes.h>
#include <math.h>
#include <sys/stat.h>

#include "criterion/spectral.h"
#include "table/data.h"
#include "factor/factor.h"
#include "files.h"
#include "linalg/linalg.h"
#include "model/record.h"

enum { INPUTS = 20, VALUES = 10, CSV_BYTES_A_ROW = 170 };

typedef struct {
    ny_ctx *ctx;
    ny_options *options;
    int64_t n, m, r; /* r: rank of the factor, m or a little less */
    char csv[64], npy[64], saved[64], bare_file[64];
    long csv_bytes, npy_bytes, model_bytes;
    char *bytes; /* model_bytes */
    ny_matrix X; /* INPUTS x n */
    ny_kernel_params kernel;
    ny_factor factor;
    ny_problem P;            /* of factor.G, of Psi once that is prepared */
    double *Psi, *u, *Y, *F; /* m x n, n, n, n x VALUES */
    double *A, *Q;           /* r x r: Gram matrix; what becomes of it */
    double *diag, *off, *tau;
    ny_spectral *spectral;
    ny_data *data;
    ny_model *model;
    double *value; /* n: predictions */
} bench;

static ny_status write_npy(bench *b) {
    char header[128];
    int64_t columns = INPUTS + 1;
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
    int length =
        snprintf(header + 10, 118, "{'descr': '<f8', 'fortran_order': False, 'shape': (%" PRId64 ", %" PRId64 ")}",
                 b->n, columns);
    memset(header + 10 + length, ' ', (size_t)(118 - length));
    header[127] = '\n';
    FILE *file = fopen(b->npy, "w");
    if (!file) return ny_error(b->ctx, NY_ERR_FILE, "%s cannot be written", b->npy);
    fwrite(header, 1, sizeof header, file);
    for (int64_t i = 0; i < b->n; i++) {
        fwrite(b->X.x + i * INPUTS, sizeof(double), INPUTS, file);
        fwrite(b->Y + i, sizeof(double), 1, file);
    }
    b->npy_bytes = ftell(file);
    fflush(file);
    fsync(fileno(file)); /* what is not on the disk cannot leave the cache */
    return fclose(file) == 0 ? NY_OK : ny_error(b->ctx, NY_ERR_FILE, "%s cannot be written", b->npy);
}

/* Rows with a smooth target, as a matrix and as files. */
static ny_status make_data(bench *b, const char *folder) {
    ny_status st = NY_OK;
    snprintf(b->csv, sizeof b->csv, "%s/rows.csv", folder);
    snprintf(b->npy, sizeof b->npy, "%s/rows.npy", folder);
    snprintf(b->saved, sizeof b->saved, "%s/model.nysel", folder);
    snprintf(b->bare_file, sizeof b->bare_file, "%s/bare", folder);
    NY_TRY(ny_matrix_dense(b->ctx, INPUTS, b->n, &b->X));
    NY_NEW(b->ctx, b->u, b->n);
    NY_NEW(b->ctx, b->Y, b->n);
    NY_NEW(b->ctx, b->value, b->n);
    NY_NEW(b->ctx, b->F, ny_size3(b->n, VALUES, 1));
    ny_rng rng = ny_rng_make(1, NY_RNG_TEST, 0);
    for (int64_t i = 0; i < b->n; i++) {
        double *x = b->X.x + i * INPUTS;
        for (int64_t j = 0; j < INPUTS; j++) x[j] = ny_rng_normal(&rng);
        b->Y[i] = sin(x[0] + x[1]) + x[2] + 0.1 * ny_rng_normal(&rng);
        b->u[i] = 1;
    }
    NY_TRY(write_npy(b));
    b->csv_bytes = write_csv(b->csv, 6, INPUTS, CSV_BYTES_A_ROW * b->n);
    NY_CHECK(b->ctx, b->csv_bytes > 0, NY_ERR_FILE, "%s cannot be written", b->csv);
done:
    return st;
}

/* The factor of uniform landmarks, its Gram matrix A, and room for what the stages overwrite. */
static ny_status make_matrices(bench *b) {
    ny_status st = NY_OK;
    ny_factor_spec spec = {.method = &ny_landmark_uniform, .landmarks = b->m, .tol = 1e-10, .seed = 1};
    b->kernel = (ny_kernel_params){.kernel = &ny_kernel_rbf, .bandwidth = sqrt(INPUTS)};
    NY_TRY(ny_factor_make(b->ctx, &b->kernel, &b->X, &spec, &b->factor));
    b->r = b->factor.r;
    NY_NEW(b->ctx, b->Psi, ny_size3(b->n, b->m, 1));
    NY_NEW(b->ctx, b->A, ny_size3(b->r, b->r, 1));
    NY_NEW(b->ctx, b->Q, ny_size3(b->r, b->r, 1));
    NY_NEW(b->ctx, b->diag, b->r);
    NY_NEW(b->ctx, b->off, b->r);
    NY_NEW(b->ctx, b->tau, b->r);
    ny_syrk(b->r, b->n, 1.0, b->factor.G, b->factor.ldg, 0.0, b->A, b->r);
    ny_mirror(b->r, b->A, b->r);
    b->P =
        (ny_problem){.r = b->r, .n = b->n, .q = 1, .G = b->factor.G, .ldg = b->r, .u = b->u, .Y = b->Y, .bias = true};
done:
    return st;
}

static ny_status make_model(bench *b) {
    ny_status st = NY_OK;
    char text[2][32];
    struct stat info;
    snprintf(text[0], sizeof text[0], "%" PRId64, b->m);
    snprintf(text[1], sizeof text[1], "%.17g", b->kernel.bandwidth);
    const char *const set[][2] = {
        {"search", "none"}, {"kernel", "rbf"}, {"bandwidth", text[1]}, {"stream", "no"}, {"landmarks", text[0]}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        NY_TRY(ny_options_set(b->ctx, b->options, set[i][0], set[i][1]));
    NY_TRY(ny_data_open(b->ctx, b->npy, b->options, NULL, &b->data));
    NY_TRY(ny_train(b->ctx, b->data, b->options, &b->model));
    NY_TRY(ny_model_save(b->ctx, b->model, b->saved));
    NY_CHECK(b->ctx, stat(b->saved, &info) == 0, NY_ERR_FILE, "%s is not there", b->saved);
    b->model_bytes = info.st_size;
    NY_NEW(b->ctx, b->bytes, b->model_bytes);
done:
    return st;
}

static void clear(bench *b) {
    const char *const files[] = {b->csv, b->npy, b->saved, b->bare_file};
    double *const arrays[] = {b->Psi, b->u, b->Y, b->Q, b->A, b->diag, b->off, b->tau, b->F, b->value};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(files[i]);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) ny_free(arrays[i]);
    ny_free(b->bytes);
    ny_spectral_free(b->spectral);
    ny_factor_clear(&b->factor);
    ny_matrix_clear(&b->X);
    ny_model_free(b->model);
    ny_data_free(b->data);
    ny_options_free(b->options);
}

#endif
