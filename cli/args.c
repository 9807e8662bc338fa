/* args.c: `--name value`, `--name=value`, `--flag`, -o FILE, -q, -h, `--`; which options there are is said by
 * tables, the library's and that of own_options.c. */
#include "args.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"

typedef struct reader {
    cli_job *job;
    char **argv;
    int argc, at; /* argv[at] is the argument being read */
} reader;

static int unknown_option(const cli_job *job, const char *name) {
    const char *command = job->command->name;
    const ny_option_row *row = cli_option_find(name);
    if (row) return cli_usage_error("--%s is not an option of 'nysel %s' but of: %s", name, command, row->commands);
    cli_suggestion s = {.word = name};
    for (int64_t i = 0; (row = cli_option_at(i)) != NULL; i++)
        if (cli_has_word(row->commands, command)) cli_suggest(&s, row->name);
    cli_suggest(&s, "help");
    if (s.best) return cli_usage_error("unknown option '--%s'; did you mean '--%s'?", name, s.best);
    return cli_usage_error("unknown option '--%s'; 'nysel help %s' lists them all", name, command);
}

/* A value may begin with a minus (-3:3:1), an option is a letter after one or two of them. */
static bool looks_like_option(const char *text) {
    if (text[0] != '-' || text[1] == '\0') return false;
    if (text[1] == '-') return text[2] == '\0' || isalpha((unsigned char)text[2]);
    return strcmp(text, "-o") == 0 || strcmp(text, "-q") == 0 || strcmp(text, "-h") == 0;
}

/* The value of row: what stood behind "=", the next argument, "yes" for a flag, or "-" where `--json` stands alone. */
static const char *value_of(reader *r, const ny_option_row *row, const char *attached) {
    if (attached) return attached;
    if (!row->argument) return "yes";
    const char *next = r->at + 1 < r->argc ? r->argv[r->at + 1] : NULL;
    if (next && !looks_like_option(next)) {
        r->at++;
        return next;
    }
    size_t length = strlen(row->argument);
    return length > 2 && strcmp(row->argument + length - 2, "|-") == 0 ? "-" : NULL;
}

static int set_option(reader *r, const ny_option_row *row, const char *attached) {
    const char *value = value_of(r, row, attached);
    if (!value) return cli_usage_error("option --%s needs an argument: %s", row->name, row->argument);
    return cli_option_set(r->job, row, value);
}

static int long_option(reader *r, const char *text) {
    char name[64];
    size_t length = strcspn(text, "=");
    if (length >= sizeof name) return cli_usage_error("unknown option '--%s'", text);
    memcpy(name, text, length);
    name[length] = '\0';
    if (strcmp(name, "help") == 0) {
        r->job->help = true;
        return EXIT_DONE;
    }
    const ny_option_row *row = cli_option_find(name);
    if (!row || !cli_has_word(row->commands, r->job->command->name)) return unknown_option(r->job, name);
    return set_option(r, row, text[length] == '=' ? text + length + 1 : NULL);
}

static int short_option(reader *r, const char *text) {
    if (strcmp(text, "h") == 0) {
        r->job->help = true;
        return EXIT_DONE;
    }
    const ny_option_row *row;
    for (int64_t i = 0; (row = cli_option_at(i)) != NULL; i++) {
        if (cli_option_short(row) != text[0] || !cli_has_word(row->commands, r->job->command->name)) continue;
        if (text[1] && !row->argument) break;
        return set_option(r, row, text[1] ? text + 1 : NULL);
    }
    cli_suggestion s = {.word = text};
    for (int64_t i = 0; (row = cli_option_at(i)) != NULL; i++)
        if (cli_has_word(row->commands, r->job->command->name)) cli_suggest(&s, row->name);
    if (s.best && text[1]) return cli_usage_error("unknown option '-%s'; did you mean '--%s'?", text, s.best);
    return cli_usage_error("unknown option '-%s'; 'nysel help %s' lists them all", text, r->job->command->name);
}

static int check_operands(const cli_job *job) {
    const cli_command *command = job->command;
    if (job->operands < command->least)
        return cli_usage_error("too few arguments; usage: nysel %s %s", command->name, command->operands);
    if (job->operands > command->most)
        return cli_usage_error("unexpected argument '%s'; usage: nysel %s %s", job->operand[command->most],
                               command->name, command->operands);
    return EXIT_DONE;
}

int cli_args(cli_job *job, int argc, char **argv) {
    reader r = {.job = job, .argv = argv, .argc = argc};
    job->operand = calloc((size_t)argc + 1, sizeof *job->operand);
    if (!job->operand) return cli_usage_error("not enough memory");
    bool options_end = false;
    for (; r.at < argc; r.at++) {
        char *text = argv[r.at];
        int code = EXIT_DONE;
        if (options_end || text[0] != '-' || text[1] == '\0') job->operand[job->operands++] = text;
        else if (strcmp(text, "--") == 0) options_end = true;
        else code = text[1] == '-' ? long_option(&r, text + 2) : short_option(&r, text + 1);
        if (code != EXIT_DONE) return code;
    }
    return job->help ? EXIT_DONE : check_operands(job);
}
