/* model_meta.h: a model's meta.json: everything but the arrays. docs/formats.md describes it. */
#ifndef NY_MODEL_META_H
#define NY_MODEL_META_H

#include <jansson.h>

#include "record.h"

#define NY_MODEL_FORMAT "nysel-model"
enum { NY_MODEL_FORMAT_VERSION = 1 };

/* The plain fields of ny_record, each once: writer, reader and tests follow this list. Types: text, whole, small (an
 * int), bits (64 of them), real, flag, maybe (a real that files of older versions lack; NAN and null mean that it is
 * not known). */
#define NY_RECORD_LIST(X)     \
    X(text, source)           \
    X(text, criterion)        \
    X(whole, folds)           \
    X(real, value)            \
    X(real, error)            \
    X(real, std_error)        \
    X(maybe, squared_error)   \
    X(maybe, error_lower)     \
    X(maybe, error_upper)     \
    X(maybe, plain_error)     \
    X(maybe, baseline_error)  \
    X(maybe, baseline_gain)   \
    X(whole, predicted_bytes) \
    X(bits, seed)             \
    X(small, threads)         \
    X(whole, rows)            \
    X(whole, inputs)          \
    X(whole, landmarks)       \
    X(whole, rank)            \
    X(maybe, kernel_kept)     \
    X(flag, exact)            \
    X(phrase, route)          \
    X(phrase, why)            \
    X(flag, stopped)

/* What the run took, which differs from run to run: it is not written, so that equal trainings give equal files, and
 * read where older versions wrote it. */
#define NY_COST_LIST(X)         \
    X(maybe, seconds_read)      \
    X(maybe, seconds_scale)     \
    X(maybe, seconds_landmarks) \
    X(maybe, seconds_select)    \
    X(maybe, seconds_train)     \
    X(maybe, seconds_total)     \
    X(maybe, predicted_seconds)

/* The same for ny_bound, which is there only where it was asked for. Reports follow this list too. */
#define NY_BOUND_LIST(X)         \
    X(maybe, kernel_error)       \
    X(maybe, kernel_error_upper) \
    X(maybe, accuracy)           \
    X(flag, exact)               \
    X(maybe, kernel_norm)        \
    X(maybe, bound)              \
    X(maybe, bound_paper)        \
    X(maybe, deviation_max)      \
    X(maybe, deviation_rms)      \
    X(whole, deviation_rows)     \
    X(maybe, seconds)

/* The same for ny_comparison, with the names of its fields in files and reports. */
#define NY_COMPARISON_LIST(X)   \
    X(value, "value")           \
    X(error, "error")           \
    X(std_error, "stderr")      \
    X(best_C, "best_C")         \
    X(best_value, "best_value") \
    X(best_error, "best_error")
/* And for ny_solver. */
#define NY_SOLVER_LIST(X) \
    X(whole, iterations)  \
    X(maybe, residual)    \
    X(whole, rank)        \
    X(maybe, seconds)

/* And for ny_measures. */
#define NY_MEASURES_LIST(X) \
    X(maybe, width)         \
    X(maybe, level)         \
    X(maybe, noise)         \
    X(maybe, crossed)

/* What meta.json says about the landmarks, which are in arrays of their own. */
typedef struct ny_model_layout {
    int64_t landmarks;
    bool sparse;
} ny_model_layout;

/* Every option as text, which `text` makes a string of: ny_json_bytes in files, ny_json_text in reports. */
json_t *ny_options_json(ny_ctx *ctx, const ny_options *options, json_t *(*text)(ny_ctx *ctx, const char *text));
/* The list of record->comparison, and record->descent; NULL when out of memory. */
json_t *ny_comparisons_json(const ny_record *record);
json_t *ny_descent_json(const ny_descent *descent);

ny_status ny_meta_write(ny_ctx *ctx, const ny_model *model, json_t **meta);

/* The part of it that is called record. */
ny_status ny_record_read(ny_ctx *ctx, const json_t *meta, ny_record *record);

/* Fills everything but the arrays into an empty model. The meta is not trusted: NY_ERR_MODEL says what is wrong. */
ny_status ny_meta_read(ny_ctx *ctx, const json_t *meta, ny_model *model, ny_model_layout *layout);

#endif
