/* options.h: every option of the library, once. A row gives the struct field, its type, its default, its bounds and its
 * help; the parser, `--flags`, help, man page, completion and the model's record all come from this list. Options that
 * only concern the command line are in cli/own_options.c.
 *
 * X(type, field, name, argument, initial, lo, hi, commands, group, help)
 * C(field, name, words, initial, commands, group, help): one of a list of words W(enumerator, word). The field has the
 * type ny_FIELD_option, whose values are NY_ENUMERATOR: text is compared by the parser and nowhere else.
 * Types: text (anything), family (a member of the family called by the option's name, or the default), whole, rank
 * (auto | a whole number), real, measure (auto | V), bytes (64M, 2G), seconds (90, 5m, 2h), flag, range (auto | V |
 * LO:HI:STEP in powers of two, and zhang where the argument has the word), count (auto | grow | all | a whole number |
 * auto:M1,M2,... to choose from).
 */
#ifndef NY_OPTIONS_H
#define NY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "nysel.h"

#define NY_OPTION_LIST(X, C)                                                                                           \
    X(text, test, "test", "FILE", "", 0, 0, "train", "files", "labelled rows to test the finished model on")           \
    C(format, "format", W(FORMAT_AUTO, "auto") W(FORMAT_CSV, "csv") W(FORMAT_LIBSVM, "libsvm") W(FORMAT_NPY, "npy"),   \
      "auto", "train predict test info path", "files", "format of the data file; auto goes by its first bytes")        \
    X(text, target, "target", "NAME|INDEX", "", 0, 0, "train test info path", "data",                                  \
      "target column, by name or by number from 1 (default: a column called target, class, label or y, else the "      \
      "last)")                                                                                                         \
    C(header, "header", W(HEADER_AUTO, "auto") W(HEADER_YES, "yes") W(HEADER_NO, "no"), "auto",                        \
      "train predict test info path", "data", "whether the first line of a CSV names the columns")                     \
    C(missing, "missing",                                                                                              \
      W(MISSING_AUTO, "auto") W(MISSING_ERROR, "error") W(MISSING_DROP, "drop") W(MISSING_MEAN, "mean"), "auto",       \
      "train predict test info path", "data",                                                                          \
      "missing values ('', NA, nan, ?): refuse, drop the row (predict: leave its prediction empty), or put the "       \
      "column's training mean; auto: predict, test: as the model was trained, else error")                             \
    X(text, categorical, "categorical", "NAME,...", "", 0, 0, "train info path", "data",                               \
      "columns to treat as categories even where they look like numbers")                                              \
    X(text, ignore, "ignore", "auto|none|NAME,...", "auto", 0, 0, "train info path", "data",                           \
      "columns to leave out, by name or number, besides those that are found to be identifiers (auto: these only; "    \
      "none: not even these)")                                                                                         \
    X(text, na, "na", "WORD,...", "", 0, 0, "train predict test info path", "data",                                    \
      "further words, or numbers as -999, that stand for a missing value")                                             \
    C(decimal, "decimal", W(DECIMAL_AUTO, "auto") W(DECIMAL_POINT, ".") W(DECIMAL_COMMA, ","), "auto",                 \
      "train predict test info path", "data",                                                                          \
      "decimal sign of a CSV; auto: as each column shows, or (predict, test) as in training")                          \
    X(text, weight_column, "weight-column", "NAME|INDEX", "", 0, 0, "train test info path", "data",                    \
      "column with one non-negative weight for each row")                                                              \
    C(task, "task",                                                                                                    \
      W(TASK_NONE, "auto") W(TASK_BINARY, "binary") W(TASK_MULTICLASS, "multiclass") W(TASK_REGRESSION, "regression"), \
      "auto", "train info path", "data", "what to learn; auto goes by the target's values")                            \
    X(family, machine, "machine", "NAME", "lssvm", 0, 0, "train demo", "machine",                                      \
      "what errors cost, and whether there is a bias: 'nysel help machines' tells of each")                            \
    C(hinge, "hinge", W(HINGE_SMOOTH, "smooth") W(HINGE_EXACT, "exact"), "smooth", "train demo", "machine",            \
      "corners of losses that have some: rounded off, or (exact) sharp in the final machine")                          \
    X(real, hinge_width, "hinge-width", "H", "0.25", 1e-6, 10, "train demo", "machine",                                \
      "half-width of the rounded corners; for numbers in units of the noise")                                          \
    X(measure, epsilon, "epsilon", "auto|V", "auto", 0, 1e300, "train demo", "machine",                                \
      "errors of svr that cost nothing; auto: half the noise, as a robust fit sees it")                                \
    X(measure, delta, "delta", "auto|V", "auto", 1e-300, 1e300, "train demo", "machine",                               \
      "where the loss of huber becomes linear; auto: 1.345 times the noise")                                           \
    X(text, quantiles, "quantiles", "P,...", "0.5", 0, 0, "train demo", "machine",                                     \
      "quantiles that the quantile machine predicts, as 0.05,0.5,0.95")                                                \
    X(family, kernel, "kernel", "auto|NAME", "auto", 0, 0, "train demo path", "machine",                               \
      "kernel function; auto: rbf, matern32, powexp1, powexp15, poly or linear, whichever the criterion prefers")                         \
    X(whole, degree, "degree", "N", "3", 1, 20, "train demo path", "machine", "degree of the poly kernel")             \
    X(real, coef0, "coef0", "V", "1", 0, 1e6, "train demo path", "machine", "constant of the poly kernel")             \
    X(family, scale, "scale", "NAME", "standard", 0, 0, "train demo path", "machine", "scaling of the inputs")         \
    X(family, multiclass, "multiclass", "NAME", "ova", 0, 0, "train demo path", "machine",                             \
      "how several classes become two-class outputs")                                                                  \
    C(decoding, "decoding", W(DECODING_AUTO, "auto") W(DECODING_HAMMING, "hamming") W(DECODING_LOSS, "loss"), "auto",  \
      "train demo", "machine",                                                                                         \
      "how the outputs of several classes decide: the coding's own way, fewest wrong signs, or least loss")            \
    X(text, class_weight, "class-weight", "none|balanced|LABEL=W,...", "none", 0, 0, "train demo path", "machine",     \
      "weight of each class's errors; balanced gives every class the same total")                                      \
    C(proba_method, "proba-method",                                                                                    \
      W(PROBA_AUTO, "auto") W(PROBA_CALIBRATION, "calibration") W(PROBA_POSTERIOR, "posterior") W(PROBA_LINK, "link"), \
      "auto", "train demo", "machine",                                                                                 \
      "probabilities by a curve fitted to the held-out outputs, from the posterior of each output, or (link) the "     \
      "logistic machine's own; auto: link for logistic with two classes or ovo, else calibration")                     \
    C(posterior, "posterior", W(KEEP_AUTO, "auto") W(KEEP_YES, "yes") W(KEEP_NO, "no"), "auto", "train demo",          \
      "machine", "keep what predict --interval needs, m x m numbers; auto: for regression, up to 256 MB")              \
    X(text, prior, "prior", "none|uniform|LABEL=P,...", "", 0, 0, "train predict test", "machine",                     \
      "how frequent the classes are where the model is used (default: as in the training data; predict, test: as the " \
      "model says)")                                                                                                   \
    C(solver, "solver", W(SOLVER_AUTO, "auto") W(SOLVER_DIRECT, "direct") W(SOLVER_CG, "cg"), "auto", "train demo",    \
      "machine",                                                                                                       \
      "direct: the low-rank machine that the selection chose; cg: then the exact one, on every row, by conjugate "     \
      "gradients; auto: cg (to 1e-2; numbers: 1e-3) where it promises a smaller error for its time")                   \
    X(real, solver_tol, "solver-tol", "T", "1e-8", 1e-14, 1e-3, "train demo", "machine",                               \
      "relative residual at which --solver cg ends")                                                                   \
    X(whole, solver_iterations, "solver-iterations", "N", "1000", 1, 1000000000, "train demo", "machine",              \
      "iterations of --solver cg at most")                                                                             \
    X(count, landmarks, "landmarks", "auto|grow|auto:M1,M2,...|all|M", "auto", 1, 1e9, "train demo path", "low rank",  \
      "points that carry the low rank: more while worth their time (auto) or while they help at all (grow); the best " \
      "of M1,M2,...; every row; or M")                                                                                 \
    X(family, landmark_method, "landmark-method", "auto|NAME", "auto", 0, 0, "train demo path", "low rank",            \
      "how landmarks are chosen; auto: uniform, but rpcholesky from two fifths of the rows on, and where they span "   \
      "all of a linear or poly kernel")                                                                                \
    X(rank, rank, "rank", "auto|K", "0", 0, 1000000000, "train demo path", "low rank",                                 \
      "keep only the K largest eigenvalues of the landmarks' kernel matrix (0: all; auto: the smallest K within one "  \
      "standard error of the best)")                                                                                   \
    X(real, rank_tol, "rank-tol", "T", "1e-10", 0, 1, "train demo path", "low rank",                                   \
      "drop directions whose share of the kernel is below T")                                                          \
    C(expansion, "expansion",                                                                                          \
      W(EXPANSION_LANDMARKS, "landmarks") W(EXPANSION_TRAINING, "training") W(EXPANSION_ACTIVE, "active"),             \
      "landmarks", "train demo", "low rank",                                                                           \
      "which points the model keeps: its landmarks, or with the true kernel every training row or (active; svm, "      \
      "l2svm, svr) those that cost something")                                                                         \
    X(flag, bound, "bound", 0, "no", 0, 0, "train demo", "low rank",                                                   \
      "how far the low-rank machine can be from the exact one, and how far it is where that can be measured")          \
    X(family, criterion, "criterion", "auto|NAME", "auto", 0, 0, "train demo", "selection",                            \
      "what the selection minimises; auto: loo for squared losses, newton for the others")                             \
    C(select_on, "select-on", W(SELECT_ON_MSE, "mse") W(SELECT_ON_ERROR, "error"), "mse", "train demo path",           \
      "selection",                                                                                                     \
      "choose by the mean squared error (other machines: their own loss), smoother and usually better, or by the "     \
      "misclassification rate")                                                                                        \
    X(flag, compare_criteria, "compare-criteria", 0, "no", 0, 0, "train demo", "selection",                            \
      "show what every criterion says of the finished machine")                                                        \
    X(whole, folds, "folds", "V", "10", 2, 1000000000, "train demo", "selection",                                      \
      "folds of the cross-validation; without --criterion a number asks for it")                                       \
    X(text, fold_file, "fold-file", "FILE", "", 0, 0, "train", "selection",                                            \
      "one fold number for each row: exactly these folds (criteria without folds give way to cv)")                     \
    X(family, search, "search", "NAME", "profile", 0, 0, "train demo path", "selection",                               \
      "how bandwidths and C are tried")                                                                                \
    X(range, bandwidth, "bandwidth", "auto|zhang|V|LO:HI:STEP", "auto", 0, 0, "train demo path", "selection",          \
      "kernel width sigma: found, the rows' distance from their centre (root mean square), fixed, or a range of "      \
      "powers of two")                                                                                                 \
    X(range, C, "C", "auto|V|LO:HI:STEP", "auto", 0, 0, "train demo", "selection",                                     \
      "weight of the errors: found, fixed, or a range of powers of two")                                               \
    X(whole, csa_evaluations, "csa-evaluations", "N", "90", 2, 1000000, "train demo path", "selection",                \
      "machines that --search csa trains in its annealing")                                                            \
    X(whole, csa_starters, "csa-starters", "N", "5", 2, 1000, "train demo path", "selection",                          \
      "points that --search csa anneals side by side")                                                                 \
    X(whole, simplex_evaluations, "simplex-evaluations", "N", "70", 0, 1000000, "train demo path", "selection",        \
      "machines that --search csa trains at most in its fine-tuning by a simplex")                                     \
    X(flag, ard, "ard", 0, "no", 0, 0, "train demo", "selection",                                                      \
      "a scale for each input column, found by the criterion: irrelevant columns lose their weight")                   \
    X(flag, select_inputs, "select-inputs", 0, "no", 0, 0, "train demo", "selection",                                  \
      "drop the columns without which the criterion is no worse (implies --ard)")                                      \
    C(ard_by, "ard-by", W(ARD_BY_EVIDENCE, "evidence") W(ARD_BY_LOO, "loo"), "evidence", "train demo", "selection",    \
      "what --ard and --select-inputs go by, whatever --criterion says; loo follows the noise of small data more")     \
    X(real, lambda_max, "lambda-max", "V", "1e7", 1e-300, 1e300, "path", "path",                                       \
      "where the path begins; higher, where not every row is inside the margin there")                                 \
    X(real, lambda_min, "lambda-min", "V", "1e-6", 1e-300, 1e300, "path", "path", "where the path ends")               \
    X(flag, radius_margin, "radius-margin", 0, "no", 0, 0, "path", "path",                                             \
      "add the radius-margin bound on the leave-one-out errors")                                                       \
    X(real, interval, "interval", "P", "0", 0, 0.9999, "predict test", "predictions",                                  \
      "add an interval that holds the target with probability P, as 0.95 (0: none)")                                   \
    C(outside, "outside", W(OUTSIDE_CLIP, "clip") W(OUTSIDE_KEEP, "keep"), "clip", "predict test", "predictions",      \
      "inputs far outside the training range: bring them back to it, with a margin that depends on the kernel, or "    \
      "take them as they are")                                                                                         \
    X(text, id, "id", "NAME|INDEX", "", 0, 0, "predict", "predictions",                                                \
      "column of the data to carry over, as the first column of the predictions")                                      \
    X(whole, seed, "seed", "N", "1", 0, 9007199254740992.0, "train demo path", "run",                                  \
      "same seed, same data, same threads: same model")                                                                \
    X(whole, threads, "threads", "N", "0", 0, 1024, "train predict test demo path", "run", "threads to use (0: all)")  \
    X(whole, block_rows, "block-rows", "N", "0", 0, 1000000, "train predict test demo path", "run",                    \
      "rows of a kernel tile (0: fits the cache)")                                                                     \
    X(bytes, memory, "memory", "SIZE", "0", 0, 1e18, "train predict test info demo path", "run",                       \
      "memory not to exceed, as 512M or 8G (0: 80% of what is free)")                                                  \
    C(stream, "stream", W(STREAM_AUTO, "auto") W(STREAM_YES, "yes") W(STREAM_NO, "no"), "auto", "train path", "run",   \
      "read the rows in passes instead of keeping them in memory; auto: when they would take more than half of "       \
      "--memory")                                                                                                      \
    X(seconds, time_limit, "time-limit", "TIME", "0", 0, 1e9, "train demo path", "run",                                \
      "stop after TIME (90, 5m, 2h) with the best machine found so far, or the path so far; exit status 3 says so")

typedef struct ny_range {   /* the value of a `range` option */
    bool is_auto, is_zhang; /* zhang: a single value that the data will tell */
    double lo, hi, step;    /* exponents of two; a single value V has lo = hi = log2 V, step = 0 */
    double single;          /* V itself, when it is one value */
} ny_range;

enum { NY_AUTO = -1, NY_ALL = -2, NY_GROW = -3, NY_CANDIDATES_MAX = 16 };
enum { NY_NAMES_TEXT = 256 }; /* room for a list of names in a message */

typedef struct ny_count { /* the value of a `count` option */
    int64_t number;       /* NY_AUTO, NY_ALL, NY_GROW or the number */
    int64_t candidates;   /* of auto:M1,M2,... */
    int64_t candidate[NY_CANDIDATES_MAX];
} ny_count;

/* The C type of each option type. */
typedef const char *ny_opt_text;
typedef const char *ny_opt_family; /* a name: base does not know the families */
typedef int64_t ny_opt_whole;
typedef int64_t ny_opt_rank; /* NY_AUTO: auto */
typedef double ny_opt_real;
typedef double ny_opt_measure; /* NAN: auto */
typedef int64_t ny_opt_bytes;
typedef double ny_opt_seconds;
typedef bool ny_opt_flag;
typedef ny_range ny_opt_range;
typedef ny_count ny_opt_count;

#define X(...)
#define W(enumerator, word) NY_##enumerator,
#define C(field, name, words, initial, commands, group, help) typedef enum { words } ny_##field##_option;
NY_OPTION_LIST(X, C)
#undef C
#undef W
#undef X

struct ny_options { /* in the order of the help: NOLINT(clang-analyzer-optin.performance.Padding) */
#define X(type, field, name, argument, initial, lo, hi, commands, group, help) ny_opt_##type field;
#define C(field, name, words, initial, commands, group, help) ny_##field##_option field;
    NY_OPTION_LIST(X, C)
#undef C
#undef X
    char **texts; /* the value of every option as text, in the order of the list; texts and names point into it */
    bool *given;  /* whether it was set, be it to its default; in the same order */
};

/* ny_options_set without the families: a name is taken as it is. For names that were looked up before: copies, and
 * what a model file says of its training. */
ny_status ny_options_put(ny_ctx *ctx, ny_options *options, const char *name, const char *text);
/* The name of a family's member is this one. */
bool ny_is(const char *name, const char *member);
/* The name leaves the choice to the program: "auto". */
bool ny_is_auto(const char *name);
/* The exact machine is to follow the selection (--solver cg). */
bool ny_options_exact(const ny_options *options);
/* Folds are asked for: by a file, or by a number where the criterion is ours to choose. Criteria without folds then
 * give way to cv. */
bool ny_options_folds(const ny_options *options);
/* The low rank is the user's choice (--landmarks, --landmark-method, --rank, --rank-tol), not ours. */
bool ny_options_low_rank(const ny_options *options);
/* Bytes not to exceed: --memory, or 80% of what is free. */
double ny_options_memory(const ny_options *options);
/* A copy with options of its own, which were given where they were; *to is for ny_options_free. */
ny_status ny_options_copy(ny_ctx *ctx, const ny_options *from, ny_options **to);
/* The points of a range LO:HI:STEP as values, or its single value; *points is for ny_free. */
ny_status ny_range_points(ny_ctx *ctx, const ny_range *range, int64_t *count, double **points);

#endif
