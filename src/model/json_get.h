/* json_get.h: single fields of an object that is not trusted: looked up, typed and bounded. A failure is NY_ERR_MODEL
 * and names the field; *v is then not to be used. Texts and lists that were read are copies for ny_free. */
#ifndef NY_JSON_GET_H
#define NY_JSON_GET_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"

/* "'NAME' is missing or is not EXPECTED"; returns NY_ERR_MODEL. */
ny_status ny_bad_field(ny_ctx *ctx, const char *name, const char *expected);
/* 64 bits, as a whole number with or without a sign. */
ny_status ny_get_bits(ny_ctx *ctx, const json_t *object, const char *name, uint64_t *v);
/* A whole number from 0 to hi; from 0; from 0 and within an int. */
ny_status ny_get_bounded(ny_ctx *ctx, const json_t *object, const char *name, int64_t hi, int64_t *v);
ny_status ny_get_whole(ny_ctx *ctx, const json_t *object, const char *name, int64_t *v);
ny_status ny_get_small(ny_ctx *ctx, const json_t *object, const char *name, int *v);
/* A number as ny_json_exact writes it: it may be infinite or NAN. */
ny_status ny_get_real(ny_ctx *ctx, const json_t *object, const char *name, double *v);
/* The same, which may be missing or null: NAN. */
ny_status ny_get_maybe(ny_ctx *ctx, const json_t *object, const char *name, double *v);
/* true or false. */
ny_status ny_get_flag(ny_ctx *ctx, const json_t *object, const char *name, bool *v);
/* A text that may be missing or null: *v is then left as it is. */
ny_status ny_get_phrase(ny_ctx *ctx, const json_t *object, const char *name, char **v);
/* A text as ny_json_bytes writes it. */
ny_status ny_get_text(ny_ctx *ctx, const json_t *object, const char *name, char **v);
/* An object or a list, which still belongs to `object`. */
ny_status ny_get_object(ny_ctx *ctx, const json_t *object, const char *name, const json_t **v);
ny_status ny_get_list(ny_ctx *ctx, const json_t *object, const char *name, const json_t **v);
/* A list of finite numbers; *v is for ny_free, also after a failure. */
ny_status ny_get_reals(ny_ctx *ctx, const json_t *object, const char *name, int64_t *count, double **v);
/* A list of texts. *count is set with the list, so that the owner can free what was read before a failure. */
ny_status ny_get_texts(ny_ctx *ctx, const json_t *object, const char *name, int64_t *count, char ***text);

#endif
