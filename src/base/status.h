/* status.h: what a function can answer. One X-list gives the codes and their texts. */
#ifndef NY_STATUS_H
#define NY_STATUS_H

#include "nysel.h"

/* A reader of a fallible function sees at most these three macros. They expect `ny_status st` and a
 * label `done:` that frees what the function owns. */
#define NY_TRY(call)                           \
    do {                                       \
        if ((st = (call)) != NY_OK) goto done; \
    } while (0)
#define NY_FAIL(ctx, code, ...)                \
    do {                                       \
        st = ny_error(ctx, code, __VA_ARGS__); \
        goto done;                             \
    } while (0)
#define NY_CHECK(ctx, cond, code, ...)                \
    do {                                              \
        if (!(cond)) NY_FAIL(ctx, code, __VA_ARGS__); \
    } while (0)

/* At the door of a public function: what it cannot do without. */
#define NY_NEEDS(ctx, condition, what)                                                       \
    do {                                                                                     \
        if (!(condition)) return ny_error(ctx, NY_ERR_USAGE, "%s needs %s", __func__, what); \
    } while (0)

/* Stores the message in the context and returns the code. */
ny_status ny_error(ny_ctx *ctx, ny_status code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Puts "path: " style text in front of the stored message; keeps the code. */
ny_status ny_error_prefix(ny_ctx *ctx, ny_status code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
