/* args.h: command line arguments into options and operands. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include "cli.h"

/* Fills job->options and job->operand from the arguments after the command's name. Prints what is wrong and returns
 * EXIT_USAGE, else EXIT_DONE. */
int cli_args(cli_job *job, int argc, char **argv);

#endif
