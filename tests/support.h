/* support.h: what several tests share. */
#ifndef NY_TEST_SUPPORT_H
#define NY_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "base/rng.h"
#include "options/options.h"

/* Writes `size` bytes (strlen when negative) to a fresh file below the build folder; the name is the caller's to
 * free with free(). */
char *write_file(const char *suffix, const void *content, long size);

/* Fails the test with the context's message when st is not NY_OK. */
void must(ny_ctx *ctx, ny_status st);

/* Options from "name", "value", ..., NULL. A value that is NULL leaves its option out. */
ny_options *make_options(ny_ctx *ctx, ...);

/* The option --machine, and --bias where the text has more than a name: "lssvm", "lssvm:none", or "lssvm:0.5" for a bias
 * with that penalty. */
void set_machine(ny_ctx *ctx, ny_options *options, const char *machine);
/* The penalty of its bias. 0: it is free, INFINITY: there is none, as for "krr". */
double rho_of(const char *machine);

/* A model trained with these options, which it frees. */
ny_model *train_with_options(ny_ctx *ctx, const ny_data *data, ny_options *options);
/* Whether one of the model's notes has these words. */
bool has_note(const ny_model *model, const char *words);

/* 1, or `step` when NY_TEST_SMALL is set (by `make test-asan`): a long test then tries every step-th of its cases. */
int64_t small_step(int64_t step);

/* |a - b| <= tol * (1 + |b|) */
#define assert_close(a, b, tol) assert_close_at((a), (b), (tol), #a, __FILE__, __LINE__)
void assert_close_at(double a, double b, double tol, const char *what, const char *file, int line);

/* Solves the n x n system A x = y by Gaussian elimination with partial pivoting, independent of the library: A and y
 * are overwritten, x is in y. nrhs columns. */
void dense_solve(int64_t n, int64_t nrhs, double *A, double *y);
/* Jacobi's rotations: the symmetric n x n matrix A becomes diagonal, the columns of Q are its eigenvectors. */
void dense_eigen(int64_t n, double *A, double *Q);

#endif
