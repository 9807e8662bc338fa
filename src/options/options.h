/* options.h: every option of the library, once. A row gives the struct field, its type, its default, its bounds, its
 * help, and where it has no effect; the parser, `--flags`, help, man page, completion, the model's record and what is
 * refused or mentioned all come from this list. Options that only concern the command line are in cli/own_options.c.
 *
 * X(type, field, name, argument, initial, lo, hi, commands, group, help, rule, ...)
 * C(field, name, words, initial, commands, group, help, rule, ...): one of a list of words W(enumerator, word). The
 * field has the type ny_FIELD_option, whose values are NY_ENUMERATOR: text is compared by the parser and nowhere else.
 * Rules (option_rules.h): ALWAYS(why) of an option that has an effect wherever it is accepted; REFUSED or
 * MENTIONED(stages, idle, message) for each way to have none, where `idle` is a question of option_rules.c.
 * Types: text (anything), family (a member of the family called by the option's name, or the default), whole, rank
 * (auto | a whole number), real, measure (auto | V), bytes (64M, 2G), seconds (90, 5m, 2h), flag, range (auto | V |
 * LO:HI:STEP in powers of two, and zhang where the argument has the word), validation (a file | a share), count (auto |
 * grow | all | a whole number | auto:M1,M2,... to choose from).
 */
#ifndef NY_OPTIONS_H
#define NY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "nysel.h"

#define NY_OPTION_LIST(X, C)                                                                                           \
    X(text, test, "test", "FILE", "", 0, 0, "train", "files", "labelled rows to test the finished model on",           \
      ALWAYS("the finished model is tested"))                                                                          \
    C(format, "format", W(FORMAT_AUTO, "auto") W(FORMAT_CSV, "csv") W(FORMAT_LIBSVM, "libsvm") W(FORMAT_NPY, "npy"),   \
      "auto", "train predict test info path", "files", "format of the data file; auto goes by its first bytes",        \
      ALWAYS("auto is a guess"))                                                                                       \
    X(text, target, "target", "NAME|INDEX", "", 0, 0, "train test info path", "data",                                  \
      "target column, by name or by number from 1 (default: a column called target, class, label or y, else the "      \
      "last)",                                                                                                         \
      REFUSED(NY_BY_FILE, in_libsvm,                                                                                   \
              "--target does not apply to libsvm text, where each line begins with the target"))                       \
    C(header, "header", W(HEADER_AUTO, "auto") W(HEADER_YES, "yes") W(HEADER_NO, "no"), "auto",                        \
      "train predict test info path", "data", "whether the first line of a CSV names the columns",                     \
      REFUSED(NY_BY_FILE, no_header, "--header yes is for CSV, and this is another format: leave it out"))             \
    C(missing, "missing",                                                                                              \
      W(MISSING_AUTO, "auto") W(MISSING_ERROR, "error") W(MISSING_DROP, "drop") W(MISSING_MEAN, "mean"), "auto",       \
      "train predict test info path", "data",                                                                          \
      "missing values ('', NA, nan, ?): refuse, drop the row (predict: leave its prediction empty), or put the "       \
      "column's training mean; auto: predict, test: as the model was trained, else error",                             \
      MENTIONED(NY_BY_FILE, mean_in_libsvm,                                                                            \
                "--missing mean has no effect on libsvm text, where an input that is not written is 0"))               \
    X(text, categorical, "categorical", "NAME,...", "", 0, 0, "train info path", "data",                               \
      "columns to treat as categories even where they look like numbers",                                              \
      REFUSED(NY_BY_FILE, in_libsvm,                                                                                   \
              "--categorical does not apply to libsvm text, where every input is a number: leave it out"))             \
    X(text, ignore, "ignore", "auto|none|NAME,...", "auto", 0, 0, "train info path", "data",                           \
      "columns to leave out, by name or number, besides those that are found to be identifiers (auto: these only; "    \
      "none: not even these)",                                                                                         \
      REFUSED(NY_BY_FILE, in_libsvm, "--ignore does not apply to libsvm text, which has no columns: leave it out"))    \
    X(text, na, "na", "WORD,...", "", 0, 0, "train predict test info path", "data",                                    \
      "further words, or numbers as -999, that stand for a missing value",                                             \
      REFUSED(NY_BY_FILE, in_libsvm,                                                                                   \
              "--na does not apply to libsvm text, where an input that is not written is 0: leave it out"))            \
    C(decimal, "decimal", W(DECIMAL_AUTO, "auto") W(DECIMAL_POINT, ".") W(DECIMAL_COMMA, ","), "auto",                 \
      "train predict test info path", "data",                                                                          \
      "decimal sign of a CSV; auto: as each column shows, or (predict, test) as in training",                          \
      REFUSED(NY_BY_FILE, not_csv, "--decimal is for CSV, and this is another format: leave it out"))                  \
    X(text, weight_column, "weight-column", "NAME|INDEX", "", 0, 0, "train test info path", "data",                    \
      "column with one non-negative weight for each row",                                                              \
      REFUSED(NY_BY_FILE, in_libsvm, "--weight-column does not apply to libsvm text"))                                 \
    C(task, "task",                                                                                                    \
      W(TASK_NONE, "auto") W(TASK_BINARY, "binary") W(TASK_MULTICLASS, "multiclass") W(TASK_REGRESSION, "regression"), \
      "auto", "train info path", "data", "what to learn; auto goes by the target's values",                            \
      ALWAYS("auto is a guess; what does not suit the target is refused by ny_data_task"))                             \
    X(family, machine, "machine", "NAME", "lssvm", 0, 0, "train demo", "machine",                                      \
      "what errors cost, and whether there is a bias: 'nysel help machines' tells of each",                            \
      ALWAYS("what does not suit the task is refused by ny_prepare_task"))                                             \
    C(bias, "bias", W(BIAS_FREE, "free") W(BIAS_PENALISED, "penalised") W(BIAS_NONE, "none"), "free", "train demo path", \
      "machine",                                                                                                       \
      "the constant of each output: free (krr has none), penalised as the weights are, by V/2 times its square, or "   \
      "none",                                                                                                          \
      REFUSED(NY_BY_OPTIONS, no_bias,                                                                                  \
              "--bias {bias}: {machine} has no bias, and lssvm is the same with one: use --machine lssvm, or leave "   \
              "--bias out"))                                                                                           \
    X(real, bias_penalty, "bias-penalty", "V", "1", 1e-6, 1e12, "train demo path", "machine",                          \
      "penalty of --bias penalised; the number of landmarks is that of LS-SVMlab",                                     \
      REFUSED(NY_BY_OPTIONS, not_penalised,                                                                            \
              "--bias-penalty is for --bias penalised, and this is {bias}: leave it out, or use --bias penalised"))    \
    C(hinge, "hinge", W(HINGE_SMOOTH, "smooth") W(HINGE_EXACT, "exact"), "smooth", "train demo", "machine",            \
      "corners of losses that have some: rounded off, or (exact) sharp in the final machine",                          \
      REFUSED(NY_BY_OPTIONS, no_corners,                                                                               \
              "--hinge {hinge} is for losses with corners ({machines}), and this is {machine}: leave it out"))         \
    X(real, hinge_width, "hinge-width", "H", "0.25", 1e-6, 10, "train demo", "machine",                                \
      "half-width of the rounded corners; for numbers in units of the noise",                                          \
      REFUSED(NY_BY_OPTIONS, no_corners,                                                                               \
              "--hinge-width is for losses with corners ({machines}), and this is {machine}: leave it out"))           \
    X(measure, epsilon, "epsilon", "auto|V", "auto", 0, 1e300, "train demo", "machine",                                \
      "errors of svr that cost nothing; auto: half the noise, as a robust fit sees it",                                \
      REFUSED(NY_BY_OPTIONS, not_its_own, OF_LOSS))                                                                    \
    X(measure, delta, "delta", "auto|V", "auto", 1e-300, 1e300, "train demo", "machine",                               \
      "where the loss of huber becomes linear; auto: 1.345 times the noise",                                           \
      REFUSED(NY_BY_OPTIONS, not_its_own, OF_LOSS))                                                                    \
    X(text, quantiles, "quantiles", "P,...", "0.5", 0, 0, "train demo", "machine",                                     \
      "quantiles that the quantile machine predicts, as 0.05,0.5,0.95", REFUSED(NY_BY_OPTIONS, not_its_own, OF_LOSS))  \
    X(family, kernel, "kernel", "auto|NAME", "auto", 0, 0, "train demo path", "machine",                               \
      "kernel function; auto: rbf, matern32, powexp1, powexp15, poly or linear, whichever the criterion prefers",      \
      ALWAYS("there is always one"))                                                                                   \
    X(whole, degree, "degree", "N", "3", 1, 20, "train demo path", "machine", "degree of the poly kernel",             \
      REFUSED(NY_BY_OPTIONS, no_poly,                                                                                  \
              "--degree is for --kernel poly (or auto, which tries it), and this is {kernel}: leave it out"))          \
    X(real, coef0, "coef0", "V", "1", 0, 1e6, "train demo path", "machine", "constant of the poly kernel",             \
      REFUSED(NY_BY_OPTIONS, no_poly,                                                                                  \
              "--coef0 is for --kernel poly (or auto, which tries it), and this is {kernel}: leave it out"))           \
    X(family, scale, "scale", "NAME", "standard", 0, 0, "train demo path", "machine", "scaling of the inputs",         \
      ALWAYS("of every input"))                                                                                        \
    X(family, multiclass, "multiclass", "NAME", "ova", 0, 0, "train demo path", "machine",                             \
      "how several classes become two-class outputs",                                                                  \
      MENTIONED(NY_BY_DATA, few_classes, "--multiclass {multiclass} has no effect: it is for three classes or more"))  \
    C(decoding, "decoding", W(DECODING_AUTO, "auto") W(DECODING_HAMMING, "hamming") W(DECODING_LOSS, "loss"), "auto",  \
      "train demo", "machine",                                                                                         \
      "how the outputs of several classes decide: the coding's own way, fewest wrong signs, or least loss",            \
      MENTIONED(NY_BY_DATA, few_classes, "--decoding {decoding} has no effect: it is for three classes or more"),      \
      MENTIONED(                                                                                                       \
          NY_BY_DATA, linked,                                                                                          \
          "--decoding {decoding} has no effect: the {machine} machine's own probabilities decide (--proba-method "     \
          "calibration leaves it to the decoding)"))                                                                   \
    C(machines_share, "machines-share", W(SHARE_YES, "yes") W(SHARE_NO, "no"), "yes", "train demo", "machine",         \
      "whether the machines of several classes have kernel, bandwidth and landmarks in common, or (no) each selects "  \
      "its own, and C, as if it were trained alone",                                                                   \
      MENTIONED(NY_BY_DATA, few_classes,                                                                               \
                "--machines-share {machines-share} has no effect: it is for three classes or more"))                   \
    X(text, class_weight, "class-weight", "none|balanced|LABEL=W,...", "none", 0, 0, "train demo path", "machine",     \
      "weight of each class's errors; balanced gives every class the same total",                                      \
      REFUSED(NY_BY_DATA, regression, "--class-weight {class-weight}: there are no classes in a regression"))          \
    C(proba_method, "proba-method",                                                                                    \
      W(PROBA_AUTO, "auto") W(PROBA_CALIBRATION, "calibration") W(PROBA_POSTERIOR, "posterior") W(PROBA_LINK, "link"), \
      "auto", "train demo", "machine",                                                                                 \
      "probabilities by a curve fitted to the held-out outputs, from the posterior of each output, or (link) the "     \
      "logistic machine's own; auto: link for logistic with two classes or ovo, else calibration",                     \
      MENTIONED(NY_BY_DATA, regression,                                                                                \
                "--proba-method {proba-method} has no effect: there are no classes in a regression"))                  \
    C(posterior, "posterior", W(KEEP_AUTO, "auto") W(KEEP_YES, "yes") W(KEEP_NO, "no"), "auto", "train demo",          \
      "machine", "keep what predict --interval needs, m x m numbers; auto: for regression, up to 256 MB",              \
      MENTIONED(NY_BY_DATA, posterior_unread,                                                                          \
                "--posterior yes is for predict --interval, which is for numbers, and the target holds classes: "      \
                "leave it out"))                                                                                       \
    X(text, prior, "prior", "none|uniform|LABEL=P,...", "", 0, 0, "train predict test", "machine",                     \
      "how frequent the classes are where the model is used (default: as in the training data; predict, test: as the " \
      "model says)",                                                                                                   \
      REFUSED(NY_BY_DATA | NY_BY_MODEL, regression, "--prior {prior}: there are no classes in a regression"))          \
    C(solver, "solver", W(SOLVER_AUTO, "auto") W(SOLVER_DIRECT, "direct") W(SOLVER_CG, "cg"), "auto", "train demo",    \
      "machine",                                                                                                       \
      "direct: the low-rank machine that the selection chose; cg: then the exact one, on every row, by conjugate "     \
      "gradients; auto: cg (to 1e-2; numbers: 1e-3) where it promises a smaller error for its time",                   \
      ALWAYS("what does not go with cg is refused by ny_prepare_task"))                                                \
    X(real, solver_tol, "solver-tol", "T", "1e-8", 1e-14, 1e-3, "train demo", "machine",                               \
      "relative residual at which --solver cg ends",                                                                   \
      REFUSED(NY_BY_OPTIONS, not_cg,                                                                                   \
              "--solver-tol is for --solver cg, and this is {solver}: leave it out, or use --solver cg"))              \
    X(whole, solver_iterations, "solver-iterations", "N", "1000", 1, 1000000000, "train demo", "machine",              \
      "iterations of --solver cg at most",                                                                             \
      REFUSED(                                                                                                         \
          NY_BY_OPTIONS, no_exact,                                                                                     \
          "--solver-iterations is for the exact machine, and with the other options there is none: leave it out, or "  \
          "use --solver cg"))                                                                                          \
    X(count, landmarks, "landmarks", "auto|grow|auto:M1,M2,...|all|M", "auto", 1, 1e9, "train demo path", "low rank",  \
      "points that carry the low rank: more while worth their time (auto) or while they help at all (grow); the best " \
      "of M1,M2,...; every row; or M",                                                                                 \
      ALWAYS("the plan goes by it"))                                                                                   \
    X(family, landmark_method, "landmark-method", "auto|NAME", "auto", 0, 0, "train demo path", "low rank",            \
      "how landmarks are chosen; auto: uniform, but rpcholesky from two fifths of the rows on, and where they span "   \
      "all of a linear or poly kernel",                                                                                \
      MENTIONED(                                                                                                       \
          NY_BY_PLAN, all_rows,                                                                                        \
          "--landmark-method {landmark-method} has no effect on the final machine: it has every row, or all that "     \
          "the kernel can tell of them"))                                                                              \
    X(rank, rank, "rank", "auto|K", "0", 0, 1000000000, "train demo path", "low rank",                                 \
      "keep only the K largest eigenvalues of the landmarks' kernel matrix (0: all; auto: the smallest K within one "  \
      "standard error of the best)",                                                                                   \
      ALWAYS("the factor is cut; what cannot be is refused by ny_prepare_task"))                                       \
    X(real, rank_tol, "rank-tol", "T", "1e-10", 0, 1, "train demo path", "low rank",                                   \
      "drop directions whose share of the kernel is below T",                                                          \
      ALWAYS("the factor is cut; machines without a factor are not made where it is given"))                           \
    X(real, rank_floor, "rank-floor", "V", "0", 0, 1e300, "train demo path", "low rank",                               \
      "keep only directions whose eigenvalue of the rows' kernel matrix, as the landmarks estimate it, is above V "    \
      "(0: all)",                                                                                                      \
      ALWAYS("the factor is cut; machines without a factor are not made where it is given"))                           \
    C(expansion, "expansion",                                                                                          \
      W(EXPANSION_LANDMARKS, "landmarks") W(EXPANSION_TRAINING, "training") W(EXPANSION_ACTIVE, "active"),             \
      "landmarks", "train demo", "low rank",                                                                           \
      "which points the model keeps: its landmarks, or with the true kernel every training row or (active; svm, "      \
      "l2svm, svr) those that cost something",                                                                         \
      REFUSED(NY_BY_DATA, active_apart, "--expansion active" OF_ONE))                                                  \
    X(flag, bound, "bound", 0, "no", 0, 0, "train demo", "low rank",                                                   \
      "how far the low-rank machine can be from the exact one, and how far it is where that can be measured",          \
      REFUSED(NY_BY_DATA, apart, "--bound" OF_ONE))                                                                    \
    X(family, criterion, "criterion", "auto|NAME", "auto", 0, 0, "train demo", "selection",                            \
      "what the selection minimises; auto: loo for squared losses, newton for the others",                             \
      MENTIONED(NY_BY_DATA, gives_way,                                                                                 \
                "--criterion {criterion} has no folds and gives way to cv, as --fold-file asks for folds"),            \
      MENTIONED(NY_BY_PLAN, judges_another,                                                                            \
                "--criterion fbif judges the exact machine, and the model is the low-rank one at the same point: "     \
                "--solver cg (squared losses), or --landmarks all, makes the exact one"))                              \
    C(select_on, "select-on",                                                                                          \
      W(SELECT_ON_AUTO, "auto") W(SELECT_ON_MSE, "mse") W(SELECT_ON_ERROR, "error")                                    \
          W(SELECT_ON_MSE_ERROR, "mse,error") W(SELECT_ON_ERROR_MSE, "error,mse"),                                     \
      "auto", "train demo path", "selection",                                                                          \
      "choose by the mean squared error (other machines: their own loss), smoother and usually better, or by the "     \
      "misclassification rate; two words: kernel and bandwidth by the first, C by the second; auto: mse, and between " \
      "kernels for classes the log loss of calibrated outputs",                                                        \
      MENTIONED(NY_BY_DATA, error_of_numbers,                                                                          \
                "--select-on {select-on} has no effect: there are no classes in a regression"),                        \
      REFUSED(NY_BY_OPTIONS, path_is_fixed,                                                                            \
              "--select-on has no effect: kernel and bandwidth of the path are given, and nothing is selected"))       \
    X(flag, compare_criteria, "compare-criteria", 0, "no", 0, 0, "train demo", "selection",                            \
      "show what every criterion says of the finished machine",                                                        \
      REFUSED(NY_BY_DATA, apart, "--compare-criteria" OF_ONE))                                                         \
    X(whole, folds, "folds", "V", "10", 2, 1000000000, "train demo", "selection",                                      \
      "folds of the cross-validation; without --criterion a number asks for it",                                       \
      REFUSED(NY_BY_OPTIONS, folds_twice,                                                                              \
              "--folds {folds} and --fold-file both say which folds there are: leave one of them out"),                \
      REFUSED(                                                                                                         \
          NY_BY_OPTIONS, no_folds,                                                                                     \
          "--folds {folds} asks for folds, and --criterion {criterion} has none: use --criterion cv, or leave one of " \
          "them out"),                                                                                                 \
      REFUSED(NY_BY_OPTIONS, folds_of_holdout,                                                                         \
              "--folds {folds} has no effect on --criterion holdout: --validation says which share of the rows is "    \
              "held out"))                                                                                             \
    X(text, fold_file, "fold-file", "FILE", "", 0, 0, "train", "selection",                                            \
      "one fold number for each row: exactly these folds (criteria without folds give way to cv)",                     \
      ALWAYS("criteria without folds give way to cv"))                                                                 \
    X(validation, validation, "validation", "FILE|SHARE", "0.33", 0.001, 0.999, "train demo path", "selection",        \
      "what --criterion holdout judges by: a file of labelled rows, which are not learnt from, or a share of the "     \
      "rows, of each class alike (or --fold-file with two folds: the second); path: a column with their error",        \
      REFUSED(NY_BY_OPTIONS, no_validation,                                                                            \
              "--validation is for --criterion holdout, and this is {criterion}: leave it out, or use holdout"),       \
      REFUSED(NY_BY_OPTIONS, folds_twice,                                                                              \
              "--validation {validation} and --fold-file both say which rows are held out: leave one of them out"))    \
    X(family, search, "search", "NAME", "profile", 0, 0, "train demo path", "selection",                               \
      "how bandwidths and C are tried",                                                                                \
      REFUSED(NY_BY_OPTIONS, path_is_fixed,                                                                            \
              "--search {search} has no effect: kernel and bandwidth of the path are given, and nothing is selected"), \
      REFUSED(NY_BY_OPTIONS, not_followed,                                                                             \
              "--search gradient follows --criterion span, smooth-span or radius-margin of --machine l2svm, and this " \
              "is {criterion} of {machine}: use one of them, or --search profile or csa"),                             \
      REFUSED(                                                                                                         \
          NY_BY_OPTIONS, counts_have_no_slope,                                                                         \
          "--search gradient follows a gradient, and --select-on error, a count, has none: leave one of them out"))    \
    X(range, bandwidth, "bandwidth", "auto|zhang|V|LO:HI:STEP", "auto", 0, 0, "train demo path", "selection",          \
      "kernel width sigma: found, the rows' distance from their centre (root mean square), fixed, or a range of "      \
      "powers of two",                                                                                                 \
      REFUSED(NY_BY_OPTIONS, no_bandwidth,                                                                             \
              "--bandwidth {bandwidth}: the {kernel} kernel has no bandwidth: leave it out, or use another --kernel"), \
      REFUSED(NY_BY_OPTIONS, range_of_none,                                                                            \
              "--bandwidth {bandwidth} is a range, and --search none looks at one value only: give a number, or use "  \
              "--search profile, grid, csa or gradient"))                                                              \
    X(range, C, "C", "auto|V|LO:HI:STEP", "auto", 0, 0, "train demo", "selection",                                     \
      "weight of the errors: found, fixed, or a range of powers of two", ALWAYS("tried, or found"))                    \
    X(whole, csa_evaluations, "csa-evaluations", "N", "90", 2, 1000000, "train demo path", "selection",                \
      "machines that --search csa trains in its annealing", REFUSED(NY_BY_OPTIONS, no_annealing, CSA))                 \
    X(whole, csa_starters, "csa-starters", "N", "5", 2, 1000, "train demo path", "selection",                          \
      "points that --search csa anneals side by side", REFUSED(NY_BY_OPTIONS, no_annealing, CSA))                      \
    X(whole, simplex_evaluations, "simplex-evaluations", "N", "70", 0, 1000000, "train demo path", "selection",        \
      "machines that --search csa trains at most in its fine-tuning by a simplex",                                     \
      REFUSED(NY_BY_OPTIONS, no_annealing, CSA))                                                                       \
    C(effort, "effort", W(EFFORT_FAST, "fast") W(EFFORT_NORMAL, "normal"), "normal", "train demo", "selection",         \
      "fast: four kernels, inputs weighed alike; normal: separable kernels too, and what --metric auto learns",         \
      ALWAYS("how much is tried"))                                                                                      \
    C(metric, "metric",                                                                                                 \
      W(METRIC_AUTO, "auto") W(METRIC_NONE, "none") W(METRIC_DIAGONAL, "diagonal") W(METRIC_EVIDENCE, "evidence"),      \
      "auto", "train demo", "selection",                                                                                \
      "a weight for each input column: none, by the slopes of a small machine's outputs (diagonal), by the "            \
      "criterion of --ard-by (evidence, which is --ard); auto: diagonal where leave-one-out errors gain by it, if "     \
      "kernel and bandwidth are to be found",                                                                           \
      ALWAYS("every kernel has scales"))                                                                                \
    X(flag, ard, "ard", 0, "no", 0, 0, "train demo", "selection",                                                      \
      "a scale for each input column, found by the criterion: irrelevant columns lose their weight",                   \
      ALWAYS("every kernel has scales"))                                                                               \
    X(flag, select_inputs, "select-inputs", 0, "no", 0, 0, "train demo", "selection",                                  \
      "drop the columns without which the criterion is no worse (implies --ard)", ALWAYS("every kernel has scales"))   \
    X(real, select_threshold, "select-threshold", "NATS", "0.5", 0, 1e6, "train demo", "selection",                    \
      "what a column must be worth for --select-inputs to keep it, in nats of the criterion (0.5: what chance gives "  \
      "a useless one; 0: anything)",                                                                                   \
      REFUSED(NY_BY_OPTIONS, no_selection,                                                                             \
              "--select-threshold {select-threshold} is for --select-inputs: give that too, or leave it out"))         \
    C(ard_by, "ard-by", W(ARD_BY_EVIDENCE, "evidence") W(ARD_BY_LOO, "loo"), "evidence", "train demo", "selection",    \
      "what --ard and --select-inputs go by, whatever --criterion says; loo follows the noise of small data more",     \
      REFUSED(NY_BY_OPTIONS, no_relevance,                                                                             \
              "--ard-by {ard-by} is for --ard or --select-inputs: give one of them, or leave it out"))                 \
    X(real, lambda_max, "lambda-max", "V", "1e7", 1e-300, 1e300, "path", "path",                                       \
      "where the path begins; higher, where not every row is inside the margin there",                                 \
      ALWAYS("where the path begins"))                                                                                 \
    X(measure, lambda_min, "lambda-min", "auto|V", "auto", 1e-300, 1e300, "train demo path", "path",                   \
      "where the path ends; auto: 1e-6, and in a training (--criterion span, radius-margin) where C = 2/lambda is "    \
      "256 "                                                                                                           \
      "times the best one",                                                                                            \
      REFUSED(                                                                                                         \
          NY_BY_OPTIONS, not_walked,                                                                                   \
          "--lambda-min says how far C is looked for along the path of --criterion span or radius-margin, where it "   \
          "is to be found and --search profile, grid or none looks for it: leave it out, or use those"),               \
      MENTIONED(NY_BY_DATA, walked_in_vain,                                                                            \
                "--lambda-min has no effect: with --select-on error several outputs have one C, which is not found "   \
                "along a path"))                                                                                       \
    X(flag, radius_margin, "radius-margin", 0, "no", 0, 0, "path", "path",                                             \
      "add the radius-margin bound on the leave-one-out errors", ALWAYS("a column of the path"))                       \
    X(real, interval, "interval", "P", "0", 0, 0.9999, "predict test", "predictions",                                  \
      "add an interval that holds the target with probability P, as 0.95 (0: none)",                                   \
      REFUSED(NY_BY_MODEL, classes, "--interval is for numbers, and the model predicts classes: use --proba"))         \
    C(outside, "outside", W(OUTSIDE_CLIP, "clip") W(OUTSIDE_KEEP, "keep"), "clip", "predict test", "predictions",      \
      "inputs far outside the training range: bring them back to it, with a margin that depends on the kernel, or "    \
      "take them as they are",                                                                                         \
      ALWAYS("every model that knows its range has limits"))                                                           \
    X(text, id, "id", "NAME|INDEX", "", 0, 0, "predict", "predictions",                                                \
      "column of the data to carry over, as the first column of the predictions",                                      \
      REFUSED(NY_BY_FILE, in_libsvm, "--id does not apply to libsvm text, which has no columns: leave it out"))        \
    X(whole, seed, "seed", "N", "1", 0, 9007199254740992.0, "train demo path", "run",                                  \
      "same seed, same data, same threads: same model", ALWAYS("of every random choice"))                              \
    X(whole, threads, "threads", "N", "0", 0, 1024, "train predict test demo path", "run", "threads to use (0: all)",  \
      ALWAYS("a limit"))                                                                                               \
    X(whole, block_rows, "block-rows", "N", "0", 0, 1000000, "train predict test demo path", "run",                    \
      "rows of a kernel tile (0: fits the cache)", ALWAYS("every kernel matrix is made in tiles"))                     \
    X(bytes, memory, "memory", "SIZE", "0", 0, 1e18, "train predict test info demo path", "run",                       \
      "memory not to exceed, as 512M or 8G (0: 80% of what is free)", ALWAYS("a limit"))                               \
    C(stream, "stream", W(STREAM_AUTO, "auto") W(STREAM_YES, "yes") W(STREAM_NO, "no"), "auto", "train path", "run",   \
      "read the rows in passes instead of keeping them in memory; auto: when they would take more than half of "       \
      "--memory",                                                                                                      \
      ALWAYS("what cannot be read twice is refused by ny_data_open"))                                                  \
    X(seconds, time_limit, "time-limit", "TIME", "0", 0, 1e9, "train demo path", "run",                                \
      "stop after TIME (90, 5m, 2h) with the best machine found so far, or the path so far; exit status 3 says so",    \
      ALWAYS("a limit"))

typedef struct ny_range {   /* the value of a `range` option */
    bool is_auto, is_zhang; /* zhang: a single value that the data will tell */
    double lo, hi, step;    /* exponents of two; a single value V has lo = hi = log2 V, step = 0 */
    double single;          /* V itself, when it is one value */
} ny_range;

enum { NY_AUTO = -1, NY_ALL = -2, NY_GROW = -3, NY_CANDIDATES_MAX = 16 };
enum { NY_NAMES_TEXT = 256 }; /* room for a list of names in a message */

typedef struct ny_validation { /* the value of a `validation` option */
    double share;              /* of the rows; 0: a file */
    const char *file;          /* NULL: a share */
} ny_validation;

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
typedef ny_validation ny_opt_validation;
typedef double ny_opt_measure; /* NAN: auto */
typedef int64_t ny_opt_bytes;
typedef double ny_opt_seconds;
typedef bool ny_opt_flag;
typedef ny_range ny_opt_range;
typedef ny_count ny_opt_count;

#define X(...)
#define W(enumerator, word) NY_##enumerator,
#define C(field, name, words, initial, commands, group, help, ...) typedef enum { words } ny_##field##_option;
NY_OPTION_LIST(X, C)
#undef C
#undef W
#undef X

struct ny_options { /* in the order of the help: NOLINT(clang-analyzer-optin.performance.Padding) */
#define X(type, field, name, argument, initial, lo, hi, commands, group, help, ...) ny_opt_##type field;
#define C(field, name, words, initial, commands, group, help, ...) ny_##field##_option field;
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
static inline bool ny_is(const char *name, const char *member) {
    return strcmp(name, member) == 0;
}
/* The name leaves the choice to the program: "auto". */
static inline bool ny_is_auto(const char *name) {
    return ny_is(name, "auto");
}
/* C, and the bandwidth of a kernel, are chosen by the mean loss of held-out outputs, not by counts of errors. */
static inline bool ny_options_by_loss(const ny_options *options) {
    return options->select_on == NY_SELECT_ON_AUTO || options->select_on == NY_SELECT_ON_MSE;
}
/* The exact machine is to come after the selection (--solver cg). */
static inline bool ny_options_exact(const ny_options *options) {
    return options->solver == NY_SOLVER_CG;
}
/* Folds are asked for: by a file, or by a number where the criterion is ours to choose. Criteria without folds then
 * give way to cv. */
bool ny_options_folds(const ny_options *options);
/* Directions are cut by number or by eigenvalue (--rank, --rank-floor): no machine of all rows is exact then. */
bool ny_options_cut(const ny_options *options);
/* The low rank is the user's choice (--landmarks, --landmark-method, --rank, --rank-tol, --rank-floor), not ours. */
bool ny_options_low_rank(const ny_options *options);
/* A copy with options of its own, which were given where they were; *to is for ny_options_free. */
ny_status ny_options_copy(ny_ctx *ctx, const ny_options *from, ny_options **to);
/* The points of a range LO:HI:STEP as values, or its single value; *points is for ny_free. */
ny_status ny_range_points(ny_ctx *ctx, const ny_range *range, int64_t *count, double **points);

#endif
