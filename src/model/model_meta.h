/* model_meta.h: a model's meta.json: everything but the arrays. docs/formats.md describes it. */
#ifndef NY_MODEL_META_H
#define NY_MODEL_META_H

#include <jansson.h>

#include "record.h"

#define NY_MODEL_FORMAT "nysel-model"
/* What this version reads up to. A model is written as the first version that has what it needs, so that older programs
 * read it: bent inputs need the third, several machines the second. */
enum { NY_MODEL_FORMAT_VERSION = 3, NY_MODEL_FORMAT_MACHINES = 2, NY_MODEL_FORMAT_FIRST = 1 };

/* What meta.json says about the landmarks, which are in arrays of their own. */
typedef struct ny_model_layout {
    int64_t landmarks;
    bool sparse;
} ny_model_layout;

/* Every option as text, which `text` makes a string of: ny_json_bytes in files, ny_json_text in reports. */
json_t *ny_options_json(ny_ctx *ctx, const ny_options *options, json_t *(*text)(ny_ctx *ctx, const char *text));
/* The whole of it, with so many landmarks in the file; *meta is for json_decref. */
ny_status ny_meta_write(ny_ctx *ctx, const ny_model *model, int64_t landmarks, json_t **meta);

/* The part of it that is called record. */
ny_status ny_record_read(ny_ctx *ctx, const json_t *meta, ny_record *record);

/* Fills everything but the arrays into an empty model: of several machines the list is there, each Z.n is the number of
 * its points. The meta is not trusted: NY_ERR_MODEL says what is wrong. */
ny_status ny_meta_read(ny_ctx *ctx, const json_t *meta, ny_model *model, ny_model_layout *layout);

#endif
