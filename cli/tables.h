/* tables.h: through the tables of options and families, for the parser and for all kinds of help. */
#ifndef CLI_TABLES_H
#define CLI_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include <nysel.h>

bool cli_has_word(const char *words, const char *word); /* words: space separated */
const ny_option_row *cli_option_at(int64_t index);      /* the library's, then our own; NULL past the end */
const ny_option_row *cli_option_own(int64_t index);     /* those of own_options.c only */
const ny_option_row *cli_option_find(const char *name); /* NULL if there is none */
/* Whether it is the name of a family, whose members `nysel help` lists. */
bool cli_is_family(const char *name);

/* Calls `visit` for every option of the command (NULL: for every option), group by group. */
typedef void cli_option_visit(void *user, const ny_option_row *row, bool first_of_group);
void cli_each_option(const char *command, cli_option_visit *visit, void *user);

/* "--output FILE, -o" style: "-o, --output FILE", "--quiet" ... */
void cli_option_label(const ny_option_row *row, char *text, size_t size);
/* Its help; for a family the members' names follow. */
void cli_option_help(const ny_option_row *row, char *text, size_t size);
bool cli_option_has_default(const ny_option_row *row);
char cli_option_short(const ny_option_row *row); /* its one-letter form, or 0 */

/* The family a help topic means (kernels, criteria, landmark ...), or NULL. */
const char *cli_topic_family(const char *topic);

/* Collects the candidate closest to a mistyped word. */
typedef struct cli_suggestion {
    const char *word, *best;
    size_t distance;
} cli_suggestion;

/* Keeps the candidate if it is nearer to what was typed than the best so far. */
void cli_suggest(cli_suggestion *suggestion, const char *candidate);

#endif
