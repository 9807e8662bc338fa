/* json_get.h: single fields of an object that is not trusted: looked up, typed and bounded; a failure is NY_ERR_MODEL
 * and names the field. ny_get_maybe: a number that may be missing or null (NAN); ny_get_phrase: a text
 * that may (NULL). */
#ifndef NY_JSON_GET_H
#define NY_JSON_GET_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"

ny_status ny_bad_field(ny_ctx *ctx, const char *name, const char *expected);
ny_status ny_get_bits(ny_ctx *ctx, const json_t *object, const char *name, uint64_t *v);
ny_status ny_get_bounded(ny_ctx *ctx, const json_t *object, const char *name, int64_t hi, int64_t *v);
ny_status ny_get_whole(ny_ctx *ctx, const json_t *object, const char *name, int64_t *v);
ny_status ny_get_small(ny_ctx *ctx, const json_t *object, const char *name, int *v);
ny_status ny_get_real(ny_ctx *ctx, const json_t *object, const char *name, double *v);
ny_status ny_get_maybe(ny_ctx *ctx, const json_t *object, const char *name, double *v);
ny_status ny_get_flag(ny_ctx *ctx, const json_t *object, const char *name, bool *v);
ny_status ny_get_phrase(ny_ctx *ctx, const json_t *object, const char *name, char **v);
ny_status ny_get_text(ny_ctx *ctx, const json_t *object, const char *name, char **v);
ny_status ny_get_object(ny_ctx *ctx, const json_t *object, const char *name, const json_t **v);
ny_status ny_get_list(ny_ctx *ctx, const json_t *object, const char *name, const json_t **v);
/* A list of finite numbers; *v is for ny_free, also after a failure. */
ny_status ny_get_reals(ny_ctx *ctx, const json_t *object, const char *name, int64_t *count, double **v);
ny_status ny_get_texts(ny_ctx *ctx, const json_t *object, const char *name, int64_t *count, char ***text);

#endif
