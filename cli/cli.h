/* cli.h: what the commands share: the table of commands, the job a command works on, errors, output files. */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stdio.h>

#include <nysel.h>

#include "progress.h"

enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_STOPPED };
enum { CLI_OWN_OPTIONS = 32 }; /* at most */

typedef struct cli_job cli_job;

typedef struct cli_command {
    const char *name;
    const char *operands;     /* as the usage line shows them */
    int least, most;          /* how many operands it takes */
    const char *summary;      /* one line */
    const char *description;  /* a paragraph for help and the man page */
    int (*run)(cli_job *job); /* returns the exit status; NULL for help, which reads its own arguments */
} cli_command;

extern const cli_command cli_commands[]; /* ends with a NULL name */
/* By its name; NULL if there is none. */
const cli_command *cli_command_find(const char *name);

struct cli_job {
    const cli_command *command;
    ny_ctx *ctx;
    ny_options *options;
    const char *own[CLI_OWN_OPTIONS]; /* values of the options that the library does not know; NULL: not given */
    cli_progress progress;
    char **operand;
    int operands;
    bool help; /* -h or --help was among the arguments */
};

/* The commands: each returns the exit status, and has said what is wrong. */
int cmd_train(cli_job *job);
int cmd_predict(cli_job *job);
int cmd_test(cli_job *job);
int cmd_path(cli_job *job);
int cmd_info(cli_job *job);
int cmd_demo(cli_job *job);
int cmd_help(int argc, char **argv);

/* ---- own_options.c: options of the library and of the command line alike ------------------------------------ */

/* Returns the exit status, and prints what is wrong. The text must outlive the job. */
int cli_option_set(cli_job *job, const ny_option_row *row, const char *text);
bool cli_given(const cli_job *job, const char *option);
const char *cli_text(const cli_job *job, const char *option); /* its value as text, never NULL */
bool cli_is(const cli_job *job, const char *option);          /* a flag's value */
const char *cli_output_option(int64_t k);                     /* those that name a file to write; NULL past the end */

/* ---- job.c ------------------------------------------------------------------------------------------------ */

/* Prints "nysel: " and the message on standard error. */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2))); /* prints, returns EXIT_USAGE */
/* Prints the context's message and returns the exit status for this failure. */
int cli_fail(cli_job *job, ny_status status);
/* Prints `text` on standard output unless --quiet, writes `json` where --json says. With --json - the text gives way:
 * to standard error if `keep`, else nowhere. */
int cli_report(cli_job *job, const char *text, const char *json, bool keep);
bool cli_wants_json(const cli_job *job);
/* From here on the first Ctrl-C ends the reading of data with an error, so that nothing is left behind. */
void cli_catch_signals(cli_job *job);
/* Trains with the progress bar and with Ctrl-C asking for the best so far. */
ny_status cli_train(cli_job *job, const ny_data *data, ny_model **model);
/* The same for ny_path. */
ny_status cli_follow(cli_job *job, const ny_data *data, char **csv, char **json, char **text);

/* ---- output.c: nothing half-written ----------------------------------------------------------------------- */

/* Before the work: whether every file that is to be written can be, and none is read or written twice. The
 * first `inputs` operands are files that are read. Prints what is wrong and returns the exit status. */
int cli_outputs_check(cli_job *job, int inputs);
/* ny_outfile_open, where "" is standard output like "-", and ny_outfile_commit. false: an error was reported. */
bool cli_output_open(cli_job *job, const char *path, ny_outfile **out);
bool cli_output_close(cli_job *job, ny_outfile **out);
/* A whole file, which ends with a newline in any case. */
bool cli_output_text(cli_job *job, const char *path, const char *text);

/* ---- progress.c ------------------------------------------------------------------------------------------- */

bool cli_colour(FILE *stream);              /* a terminal that takes colours, and no NO_COLOR */
bool cli_unicode(void);                     /* the environment's character set is UTF-8 */
int cli_width(FILE *stream, int otherwise); /* columns of the terminal */

/* ---- picture.c -------------------------------------------------------------------------------------------- */

/* Draws the decision regions of a classifier with two inputs and some of its training points. */
void cli_picture(cli_job *job, const ny_model *model, const ny_data *data);

#endif
