/* nysel.h: kernel machines that select their own hyper-parameters. The whole public API.
 *
 *     ny_ctx *ctx = ny_ctx_new();
 *     ny_options *opt = ny_options_new(ctx);
 *     ny_data *train = NULL;
 *     ny_model *model = NULL;
 *     if (ny_options_set(ctx, opt, "kernel", "rbf") == NY_OK &&
 *         ny_data_read(ctx, "train.csv", opt, NULL, &train) == NY_OK &&
 *         ny_train(ctx, train, opt, &model) == NY_OK)
 *         ny_model_save(ctx, model, "model.nysel");
 *     else
 *         fprintf(stderr, "%s\n", ny_message(ctx));
 *
 * Every fallible function returns a status; the text with the numbers in it is in the context. The library never
 * prints, exits or touches global state. Everything is chosen by name: see ny_family_* and ny_options_row. A context
 * serves one thread at a time; data and models may be read by many. NULL where something is needed is NY_ERR_USAGE;
 * functions without a status then answer NULL, 0, NAN or do nothing. The threads of a call end with it, so the process
 * may fork; the calling thread needs 384 kB of stack.
 */
#ifndef NYSEL_H
#define NYSEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NYSEL_VERSION "0.1.0"
#define NY_API __attribute__((visibility("default")))

/* ---- status ---------------------------------------------------------------------------------------------- */

#define NY_STATUS_LIST(X)                                          \
    X(OK, "done")                                                  \
    X(STOPPED, "stopped early: the best found so far is returned") \
    X(ERR_USAGE, "wrong usage")                                    \
    X(ERR_DATA, "the data are not as expected")                    \
    X(ERR_FILE, "a file cannot be read or written")                \
    X(ERR_MODEL, "not a usable model file")                        \
    X(ERR_MEMORY, "not enough memory")                             \
    X(ERR_NUMERIC, "the computation broke down")                   \
    X(ERR_CANCELLED, "cancelled before anything was found")

typedef enum {
#define X(code, text) NY_##code,
    NY_STATUS_LIST(X)
#undef X
} ny_status;

/* One line on what a status means, in English; never NULL. The text is static. */
NY_API const char *ny_status_text(ny_status status);
/* NYSEL_VERSION of the library that was linked. */
NY_API const char *ny_version(void);
/* OpenBLAS takes a processor younger than itself for one of 2004, and is then five times as slow as it could be: what
 * the environment variable OPENBLAS_CORETYPE had better be before the program starts. NULL: it is well as it is. */
NY_API const char *ny_blas_advice(void);

/* ---- context --------------------------------------------------------------------------------------------- */

typedef struct ny_ctx ny_ctx;
typedef enum { NY_LOG_INFO, NY_LOG_WARNING } ny_level;
typedef void ny_log_fn(void *user, ny_level level, const char *message);
/* `done` of `total` in the stage's own unit; seconds_left < 0 when it cannot be known yet. */
typedef void ny_progress_fn(void *user, const char *stage, double done, double total, double seconds_left);

NY_API ny_ctx *ny_ctx_new(void);                  /* NULL when out of memory */
NY_API void ny_ctx_free(ny_ctx *ctx);             /* NULL is fine */
NY_API const char *ny_message(const ny_ctx *ctx); /* of the last failure; it belongs to the context */
/* From now on fn(user, ...) hears messages, and how far the work is; NULL: nobody does. Only within calls of the
 * library with this context. */
NY_API void ny_on_log(ny_ctx *ctx, ny_log_fn *fn, void *user);
NY_API void ny_on_progress(ny_ctx *ctx, ny_progress_fn *fn, void *user);
NY_API void ny_cancel(ny_ctx *ctx); /* safe in a signal handler; training then returns its best so far */

/* ---- options: every one is a row of a table and is set by name and text ----------------------------------- */

typedef struct ny_options ny_options;
typedef struct ny_option_row {
    const char *name;     /* as on the command line, without the dashes */
    const char *argument; /* what it takes, as help shows it; NULL for a flag */
    const char *initial;  /* its default, as text */
    const char *commands; /* the commands that accept it, space separated */
    const char *group;    /* heading in the help */
    const char *help;
} ny_option_row;

/* All options with their defaults, for ny_options_free; NULL when out of memory. */
NY_API ny_options *ny_options_new(ny_ctx *ctx);
/* NULL is fine. */
NY_API void ny_options_free(ny_options *options);
/* Parses the text, which is copied. A failure (no such option, a value that is refused) leaves the old value. */
NY_API ny_status ny_options_set(ny_ctx *ctx, ny_options *options, const char *name, const char *text);
NY_API const char *ny_options_get(const ny_options *options, const char *name); /* as text; NULL if unknown */
/* 1: it was set, be it to its default; 0: not, or there is none of that name. */
NY_API int ny_options_given(const ny_options *options, const char *name);
/* Refuses (NY_ERR_USAGE, the remedy in the message) what was set and cannot have an effect on this command ("train",
 * "path", ...), as far as the options alone tell. ny_train and ny_path call it themselves; what depends on the data is
 * refused there, or mentioned: a warning in the log, and a note in the model's record. */
NY_API ny_status ny_options_check(ny_ctx *ctx, const ny_options *options, const char *command);
NY_API const ny_option_row *ny_options_row(int64_t index); /* NULL past the end */

/* A run begins now: --time-limit is for everything up to the end of ny_train or ny_path, --memory for everything that
 * follows with this context. Without this call each reading and each training has the limits for itself. NULL: the run
 * is over. */
NY_API void ny_begin(ny_ctx *ctx, const ny_options *options);

/* The families (kernel, criterion, search, landmark-method, machine, scale, multiclass, demo): names and one line
 * of help each; NULL past the end. */
NY_API const char *ny_family_name(int64_t family);
NY_API const char *ny_family_member(const char *family, int64_t index, const char **help);

/* ---- data ------------------------------------------------------------------------------------------------ */

typedef struct ny_data ny_data;
typedef struct ny_model ny_model;

/* Reads CSV, libsvm text or .npy, each plain or gzipped; "-" is standard input. With `like`, columns and categories
 * are laid out as that model expects them; without, they are learnt from the file. Without `like`, the option "stream"
 * may leave the rows in the file: such data are for ny_train only (ny_data_row gives NULL, other functions fail). */
NY_API ny_status ny_data_read(ny_ctx *ctx, const char *path, const ny_options *options, const ny_model *like,
                              ny_data **data);
/* n rows of d numbers (row-major, as numpy has them), a target of n numbers or NULL; everything is copied. */
NY_API ny_status ny_data_from_rows(ny_ctx *ctx, int64_t n, int64_t d, const double *x, const double *y, ny_data **data);
/* The same with class labels. */
NY_API ny_status ny_data_from_labels(ny_ctx *ctx, int64_t n, int64_t d, const double *x, const char *const *labels,
                                     ny_data **data);
/* Built-in generated data, see the family "demo". */
NY_API ny_status ny_data_generate(ny_ctx *ctx, const char *name, int64_t rows, uint64_t seed, ny_data **data);
/* Writes data that are in memory so that reading the file gives them again; see ny_outfile_open about `path`. */
NY_API ny_status ny_data_write_csv(ny_ctx *ctx, const ny_data *data, const char *path);
/* Rows that will be learnt from or predicted, and inputs of each after categories became numbers. */
NY_API int64_t ny_data_rows(const ny_data *data);
NY_API int64_t ny_data_inputs(const ny_data *data);
/* The column that the option "id" named, where data were read for a model: what it is called, and its text in row i;
 * NULL without. */
NY_API const char *ny_data_id_name(const ny_data *data);
NY_API const char *ny_data_id(const ny_data *data, int64_t i);
/* Row i: its inputs as the machine sees them (before scaling), and its label as text or NULL. */
NY_API const char *ny_data_row(const ny_data *data, int64_t i, double *x);
/* What the data hold, as JSON and as a short text (either may be NULL); free with ny_text_free. */
NY_API ny_status ny_data_describe(ny_ctx *ctx, const ny_data *data, const ny_options *options, char **json,
                                  char **text);
/* NULL is fine. Models do not need the data that they were trained on. */
NY_API void ny_data_free(ny_data *data);

/* A file for a model in blocks, so that memory does not grow with its rows: open, next until *data is NULL, close. Each
 * block of at most max_rows rows (0: about 32 MB) is data like those of ny_data_read, to be freed with ny_data_free.
 * Failures and warnings (which come at the end of the file) are those of reading the whole file. With "missing" drop
 * (or auto, and the model was trained so) rows with missing values stay in their place, and their predictions are NAN.
 * The model must outlive the blocks. */
typedef struct ny_data_blocks ny_data_blocks;
NY_API ny_status ny_data_blocks_open(ny_ctx *ctx, const char *path, const ny_options *options, const ny_model *like,
                                     ny_data_blocks **blocks);
NY_API ny_status ny_data_blocks_next(ny_ctx *ctx, ny_data_blocks *blocks, int64_t max_rows, ny_data **data);
NY_API void ny_data_blocks_close(ny_data_blocks *blocks);

/* ---- train, save, load ----------------------------------------------------------------------------------- */

/* Selects and trains; *model is for ny_model_free and owns all it needs. NY_STOPPED when a time limit or ny_cancel
 * ended the search early; the model is then the best so far, ready to use. */
NY_API ny_status ny_train(ny_ctx *ctx, const ny_data *data, const ny_options *options, ny_model **model);
/* Writes one file (docs/formats.md), complete or not at all; see ny_outfile_open about `path`. */
NY_API ny_status ny_model_save(ny_ctx *ctx, const ny_model *model, const char *path);
/* Reads such a file, also one of an older version; *model is for ny_model_free. */
NY_API ny_status ny_model_load(ny_ctx *ctx, const char *path, ny_model **model);
/* NULL is fine. */
NY_API void ny_model_free(ny_model *model);
/* What was chosen, tried and measured, as JSON or as a short text; free with ny_text_free. */
NY_API ny_status ny_model_json(ny_ctx *ctx, const ny_model *model, char **json);
NY_API ny_status ny_model_summary(ny_ctx *ctx, const ny_model *model, char **text);
/* Frees a text that the library handed over; NULL is fine. */
NY_API void ny_text_free(char *text);

/* ---- the regularization path of the l2-SVM ------------------------------------------------------------------ */

/* One row per breakpoint, output by output, as CSV, as JSON and as a short text (each may be NULL); free with
 * ny_text_free. NY_STOPPED: as far as it got. */
NY_API ny_status ny_path(ny_ctx *ctx, const ny_data *data, const ny_options *options, char **csv, char **json,
                         char **text);

/* ---- output files that are complete or not there ------------------------------------------------------------- */

/* What is written goes to a temporary file beside `path`, which takes that name, and the rights of the file that had
 * it, when all of it is on the disk. "-" is standard output; what is not a regular file (/dev/null, a pipe) is written
 * directly. A symbolic link stays: the file it points to is replaced. The library writes its own files in this way. */
typedef struct ny_outfile ny_outfile;
/* Whether a file could be put there, to be asked before the work whose result it shall hold. */
NY_API ny_status ny_outfile_check(ny_ctx *ctx, const char *path);
/* *out is for ny_outfile_commit or ny_outfile_abort; NULL after a failure. */
NY_API ny_status ny_outfile_open(ny_ctx *ctx, const char *path, ny_outfile **out);
NY_API FILE *ny_outfile_stream(const ny_outfile *out); /* to write to; the library closes it */
/* Puts the file in its place, or says why it cannot (a full disk) and removes it. Either way *out is gone, and NULL. */
NY_API ny_status ny_outfile_commit(ny_ctx *ctx, ny_outfile **out);
/* Removes what was written and frees `out`; NULL is fine. */
NY_API void ny_outfile_abort(ny_outfile *out);

/* ---- numbers and texts as the library writes them ------------------------------------------------------------ */

enum { NY_NUMBER_TEXT = 32 };
/* The shortest text that reads back as the same number, with a dot whatever the locale. Returns its length. */
NY_API int ny_number_format(double value, char text[NY_NUMBER_TEXT]);
/* 1: the text is UTF-8, as names and labels of data are; 0: it is not (a file's name may be anything). */
NY_API int ny_is_utf8(const char *text);

/* ---- predict, test --------------------------------------------------------------------------------------- */

/* Number of classes (0 for regression), the label of class k (it belongs to the model; NULL past the end), number of
 * raw outputs. */
NY_API int64_t ny_model_classes(const ny_model *model);
NY_API const char *ny_model_label(const ny_model *model, int64_t k);
NY_API int64_t ny_model_outputs(const ny_model *model);
/* The quantile that output j of a quantile machine stands for, ascending; NAN for other machines and past the end. */
NY_API double ny_model_quantile(const ny_model *model, int64_t j);

/* options (threads, block-rows, prior, outside) may be NULL, and so may any of the three results. value: n (class
 * number or regression value; of several quantiles the one nearest to 0.5); proba: n x classes, row by row, its largest
 * entry is always the predicted class; scores: n x outputs, row by row, quantiles in ascending order. */
NY_API ny_status ny_predict(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options,
                            double *value, double *proba, double *scores);
/* Where the results of ny_predict_interval go: each is n numbers or NULL. */
typedef struct ny_intervals {
    double *value, *lower, *upper;
    double *noise_sd, *model_sd; /* standard deviations of the noise and of the prediction itself */
} ny_intervals;

/* For regression: an interval that holds the target with probability `level` (in (0, 1)), and the standard deviations
 * that it is made from. The model must have its posterior (option "posterior" of the training), or be a quantile
 * machine with the quantiles (1 - level) / 2 and (1 + level) / 2, which are then the ends (the deviations are NAN). */
NY_API ny_status ny_predict_interval(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options,
                                     double level, const ny_intervals *out);
/* Inputs far outside the training range are brought back to it unless the option "outside" says keep. count: n, how
 * many such inputs each row has; by_column: ny_model_columns numbers, to which the rows that have one there are added.
 * Either may be NULL. Models of older versions do not know their range: nothing is brought back, and all counts are 0.
 */
NY_API ny_status ny_outside(ny_ctx *ctx, const ny_model *model, const ny_data *data, int64_t *count,
                            int64_t *by_column);
/* The warning that belongs to it, for a file of so many rows, `outside` of them with such inputs. */
NY_API void ny_outside_warn(ny_ctx *ctx, const ny_model *model, const ny_options *options, const char *source,
                            int64_t rows, int64_t outside, const int64_t *by_column);
NY_API int ny_model_has_range(const ny_model *model); /* 0: it does not know its range */
/* The columns of the training file that are inputs, and their names (NULL: libsvm text, where they have numbers). */
NY_API int64_t ny_model_columns(const ny_model *model);
NY_API const char *ny_model_column(const ny_model *model, int64_t c);
/* Metrics on labelled data, as JSON and as a short text (either may be NULL); free with ny_text_free. */
NY_API ny_status ny_test(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options,
                         char **json, char **text);

#ifdef __cplusplus
}
#endif
#endif
