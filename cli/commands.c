/* commands.c: every command, once: dispatch, help, man pages and completion come from this table. */
#include <string.h>

#include "cli.h"

const cli_command cli_commands[] = {
    {"train", "DATA [-o MODEL] [options]", 1, 1, "select the hyper-parameters, train, save",
     "Reads DATA (CSV, libsvm text or .npy, each plain or gzipped; - is standard input), selects bandwidth and C, "
     "trains "
     "with them, saves the model and prints what was chosen, the expected error with its uncertainty, and the time of "
     "each stage. Ctrl-C or --time-limit end the search early: the best found so far is trained and saved.",
     cmd_train},
    {"predict", "MODEL DATA [-o OUT.csv] [options]", 2, 2, "predict new rows with a saved model",
     "Writes a CSV with a header: the column prediction, then with --proba one column p_LABEL for each class and with "
     "--scores the raw outputs score_1, score_2, ... Columns of DATA are matched to those of the training data by name "
     "where both have names. With --json - the JSON, which holds the same numbers, takes the CSV's place on standard "
     "output.",
     cmd_predict},
    {"test", "MODEL DATA [options]", 2, 2, "measure a saved model on labelled data",
     "Prints error, balanced accuracy, area under the ROC curve, log loss and the confusion matrix of a classifier, or "
     "mean squared error, its root, mean absolute error and R2 of a regression.",
     cmd_test},
    {"path", "DATA [-o OUT.csv] [options]", 1, 1, "follow the regularization path of the l2-SVM",
     "Follows the l2-SVM from a lambda so large that every row is inside the margin down to --lambda-min, and writes a "
     "CSV with one row per breakpoint: output (the class it tells from the rest, or the pair), lambda, C = 2/lambda, "
     "active (rows inside the margin), objective (sum of squared slacks + lambda/2 |w|^2), loo_error (predicted "
     "leave-one-out error), radius_margin (with --radius-margin) and kkt (by how much the conditions for a minimum are "
     "violated). The kernel's bandwidth is searched for as train --machine l2svm --criterion span does, unless "
     "--bandwidth gives it. With --json - the JSON takes the CSV's place on standard output.",
     cmd_path},
    {"info", "FILE [options]", 1, 1, "tell what a model or data file holds",
     "For a model: what was chosen, how, and from which data. For a data file: rows, inputs, target and classes, as "
     "train would read it.",
     cmd_info},
    {"demo", "[NAME] [options]", 0, 1, "train on built-in generated data",
     "Generates a training set and an independent test set, trains, and shows summary, picture and test result. NAME "
     "is "
     "banana unless given; 'nysel demo list' lists all. With --write only the data are written, as CSV.",
     cmd_demo},
    {"help", "[TOPIC]", 0, 1, "explain a command, option or family of methods",
     "TOPIC is a command, an option, one of the families (kernels, criteria, searches, landmarks, machines, scales, "
     "multiclass, demos), or exit for the exit statuses.",
     NULL},
    {NULL, NULL, 0, 0, NULL, NULL, NULL},
};

const cli_command *cli_command_find(const char *name) {
    for (const cli_command *command = cli_commands; command->name; command++)
        if (strcmp(command->name, name) == 0) return command;
    return NULL;
}
