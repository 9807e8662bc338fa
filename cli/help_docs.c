/* help_docs.c: man pages in roff and the table of docs/options.md, from the same tables as the help. */
#include <ctype.h>
#include <string.h>

#include "help.h"
#include "tables.h"

enum { TEXT_MAX = 2048, LABEL_MAX = 128 };

/* Text with what roff would take for itself escaped. */
static void roff(const char *text) {
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '\\') fputs("\\e", stdout);
        else if (*text == '-') fputs("\\-", stdout);
        else putchar(*text);
    }
}

static void man_option(void *user, const ny_option_row *row, bool first_of_group) {
    (void)user;
    char text[TEXT_MAX];
    if (first_of_group) printf(".SS %s\n", row->group);
    printf(".TP\n.B ");
    if (cli_option_short(row)) printf("\\-%c\\fR, \\fB", cli_option_short(row));
    roff("--");
    roff(row->name);
    if (row->argument) {
        printf("\\fR \\fI");
        roff(row->argument);
    }
    printf("\\fR\n");
    cli_option_help(row, text, sizeof text);
    roff(text);
    if (cli_option_has_default(row)) {
        printf(" [default ");
        roff(row->initial);
        putchar(']');
    }
    putchar('\n');
}

static void man_families(void) {
    const char *family, *member, *help = "";
    printf(".SH METHODS\n");
    for (int64_t f = 0; (family = ny_family_name(f)) != NULL; f++) {
        printf(".SS %s\n", family);
        for (int64_t i = 0; (member = ny_family_member(family, i, &help)) != NULL; i++) {
            printf(".TP\n.B ");
            roff(member);
            putchar('\n');
            roff(help ? help : "");
            putchar('\n');
        }
    }
}

static void man_commands(void) {
    printf(".SH COMMANDS\n");
    for (const cli_command *command = cli_commands; command->name; command++) {
        printf(".TP\n.B nysel %s \\fR", command->name);
        roff(command->operands);
        printf("\n%s\n", command->summary);
    }
}

static void man_head(const char *page, const char *summary, const char *name, const char *operands) {
    printf(".\\\" made by 'nysel help --man': do not edit\n.TH ");
    for (; *page; page++) putchar(toupper((unsigned char)*page));
    printf(" 1 \"\" \"nysel %s\" \"User Commands\"\n.SH NAME\nnysel", NYSEL_VERSION);
    if (name) printf("\\-%s", name);
    printf(" \\- %s\n.SH SYNOPSIS\n.B nysel %s\n", summary, name ? name : "\\fICOMMAND\\fR ...");
    if (operands) {
        roff(operands);
        putchar('\n');
    }
}

static void man_tail(const cli_command *self) {
    printf(".SH EXIT STATUS\n");
    for (int code = 0; cli_exit_texts[code]; code++) {
        printf(".TP\n.B %d\n", code);
        roff(cli_exit_texts[code]);
        putchar('\n');
    }
    printf(".SH SEE ALSO\n");
    if (self) printf(".BR nysel (1)\n");
    for (const cli_command *command = cli_commands; command->name; command++)
        if (command != self) printf(".BR nysel\\-%s (1)\n", command->name);
}

void cli_help_man(const cli_command *command) {
    if (!command) {
        man_head("nysel", "kernel machines that select their own hyper\\-parameters", NULL, NULL);
        printf(
            ".SH DESCRIPTION\nTrains kernel machines for classification and regression and selects their "
            "bandwidth and C by itself.\nResults go to standard output, everything else to standard error.\n");
        man_commands();
        man_families();
        printf(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nwhen set, no colours are used\n");
    } else {
        char page[LABEL_MAX];
        snprintf(page, sizeof page, "nysel-%s", command->name);
        man_head(page, command->summary, command->name, command->operands);
        printf(".SH DESCRIPTION\n");
        roff(command->description);
        printf("\n.SH OPTIONS\n");
        cli_each_option(command->name, man_option, NULL);
        printf(".TP\n.B \\-h\\fR, \\fB\\-\\-help\\fR\nprint this help\n");
    }
    man_tail(command);
}

/* Text for a table cell: a bar would end it. */
static void cell(const char *text) {
    for (; *text; text++) {
        if (*text == '|') putchar('\\');
        putchar(*text);
    }
}

static void markdown_option(void *user, const ny_option_row *row, bool first_of_group) {
    (void)user;
    char label[LABEL_MAX], text[TEXT_MAX];
    if (first_of_group) printf("\n**%s**\n\n| option | default | of | |\n|---|---|---|---|\n", row->group);
    cli_option_label(row, label, sizeof label);
    cli_option_help(row, text, sizeof text);
    printf("| `");
    cell(label);
    printf("` | %s%s%s | %s | ", cli_option_has_default(row) ? "`" : "",
           cli_option_has_default(row) ? row->initial : "", cli_option_has_default(row) ? "`" : "", row->commands);
    cell(text);
    printf(" |\n");
}

void cli_help_markdown(void) {
    cli_each_option(NULL, markdown_option, NULL);
}
