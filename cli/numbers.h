/* numbers.h: see numbers.c. */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include <stdio.h>

void cli_put_number(FILE *out, double v);                           /* it reads back as the same */
void cli_put_csv(FILE *out, const char *before, const char *label); /* before + label, quoted where needed */
void cli_put_json(FILE *out, const char *text);                     /* a JSON string */
void cli_put_json_number(FILE *out, double v);                      /* null where v is not finite */

#endif
