/* help.h: everything the help command prints is made from the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "cli.h"

int cli_help_topic(const char *topic); /* returns the exit status */

/* help_text.c: for the terminal */
void cli_help_overview(void);
void cli_help_command(const cli_command *command);
void cli_help_family(const char *family);
void cli_help_option(const char *name);
void cli_help_exit(void);
extern const char *const cli_exit_texts[]; /* by exit status; ends with NULL */

/* help_docs.c: for files */
void cli_help_man(const cli_command *command); /* NULL: the page of nysel itself */
void cli_help_markdown(void);

/* help_shell.c */
void cli_help_completion(void);

#endif
