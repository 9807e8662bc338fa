/* help_text.c: help for the terminal. */
#include <string.h>

#include "help.h"
#include "tables.h"

enum { TEXT_MAX = 2048, LABEL_MAX = 128, HELP_COLUMN = 30, MEMBER_COLUMN = 18, WIDTH_MOST = 100, WIDTH_LEAST = 60 };

const char *const cli_exit_texts[] = {
    "done",
    "the work failed: a file, the data, the memory or the computation; the message says which",
    "wrong usage: an unknown command or option, or a value that cannot be",
    "stopped early by --time-limit or Ctrl-C: the best model found so far was trained and saved",
    NULL,
};

static int text_width(void) {
    int width = cli_width(stdout, WIDTH_MOST);
    return width > WIDTH_MOST ? WIDTH_MOST : width < WIDTH_LEAST ? WIDTH_LEAST : width;
}

/* Prints text from `column` on, broken at `width` columns, further lines indented. Ends the line. */
static void wrap(FILE *out, const char *text, int column, int indent, int width) {
    bool begun = false;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        int length = (int)strcspn(text, *text == '[' ? "]" : " "); /* [default x] stays together */
        length += text[length] == ']';
        if (begun && column + 1 + length > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (begun) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", length, text);
        column += length;
        text += length;
        begun = true;
    }
    fputc('\n', out);
}

/* A label and its text in two columns. */
static void two_columns(const char *label, const char *text, int indent) {
    int column = printf("  %s", label) + 2;
    if (column > indent) printf("\n%*s", indent, "");
    else printf("%*s", indent - column + 2, "");
    wrap(stdout, text, indent, indent, text_width());
}

static void show_option(void *user, const ny_option_row *row, bool first_of_group) {
    (void)user;
    char label[LABEL_MAX], text[TEXT_MAX];
    if (first_of_group) printf("\n%s:\n", row->group);
    cli_option_label(row, label, sizeof label);
    cli_option_help(row, text, sizeof text);
    if (cli_option_has_default(row)) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " [default %s]", row->initial);
    }
    two_columns(label, text, HELP_COLUMN);
}

void cli_help_option(const char *name) {
    const ny_option_row *row = cli_option_find(name);
    show_option(NULL, row, false);
    printf("  (an option of: %s)\n", row->commands);
}

/* Gathers "--name default" of one group; the line is printed when the next group begins. */
typedef struct line {
    const char *group;
    char text[TEXT_MAX];
} line;

static void flush_line(const line *l) {
    if (l->group) two_columns(l->group, l->text, MEMBER_COLUMN);
}

static void show_briefly(void *user, const ny_option_row *row, bool first_of_group) {
    line *l = user;
    if (first_of_group) {
        flush_line(l);
        *l = (line){.group = row->group};
    }
    size_t used = strlen(l->text);
    bool value = cli_option_has_default(row);
    snprintf(l->text + used, sizeof l->text - used, "%s--%s%s%s", used ? ", " : "", row->name, value ? "=" : "",
             value ? row->initial : "");
}

void cli_help_overview(void) {
    printf("nysel %s: kernel machines that select their own hyper-parameters\n\ncommands:\n", ny_version());
    for (const cli_command *command = cli_commands; command->name; command++) {
        char label[LABEL_MAX];
        snprintf(label, sizeof label, "nysel %s %s", command->name, command->operands);
        two_columns(label, command->summary, 52);
    }
    printf("\noptions of train, with their defaults ('nysel help train' explains them):\n");
    line l = {0};
    cli_each_option("train", show_briefly, &l);
    flush_line(&l);
    printf("\nmore help: nysel help COMMAND, OPTION, exit, or one of the families\n ");
    const char *family;
    for (int64_t f = 0; (family = ny_family_name(f)) != NULL; f++) printf(" %s", family);
    printf("\n\nbegin with: nysel demo\n");
}

void cli_help_command(const cli_command *command) {
    printf("usage: nysel %s %s\n\n", command->name, command->operands);
    wrap(stdout, command->description, 0, 0, text_width());
    cli_each_option(command->name, show_option, NULL);
}

void cli_help_family(const char *family) {
    const char *member, *help = "";
    printf("%s:\n", family);
    for (int64_t i = 0; (member = ny_family_member(family, i, &help)) != NULL; i++)
        two_columns(member, help ? help : "", MEMBER_COLUMN);
}

void cli_help_exit(void) {
    printf("exit status:\n");
    for (int code = 0; cli_exit_texts[code]; code++) printf("  %d  %s\n", code, cli_exit_texts[code]);
}
