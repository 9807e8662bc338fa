/* help_shell.c: a bash completion script with the tables written into it. */
#include <ctype.h>
#include <string.h>

#include "help.h"
#include "tables.h"

static void print_name(void *user, const ny_option_row *row, bool first_of_group) {
    (void)user, (void)first_of_group;
    printf("--%s ", row->name);
}

static bool is_choice(const char *word, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!islower((unsigned char)word[i]) && !isdigit((unsigned char)word[i]) && word[i] != '-') return false;
    return length > 0 && islower((unsigned char)word[0]);
}

static void print_members(const char *family) {
    const char *member;
    for (int64_t i = 0; (member = ny_family_member(family, i, NULL)) != NULL; i++) printf("%s ", member);
}

/* The words among a|b|C|D that stand for themselves: those in small letters. */
static void print_choices(const char *argument) {
    while (*argument) {
        size_t length = strcspn(argument, "|");
        if (is_choice(argument, length)) printf("%.*s ", (int)length, argument);
        argument += length;
        argument += *argument == '|';
    }
}

static void print_case(void *user, const ny_option_row *row, bool first_of_group) {
    (void)user, (void)first_of_group;
    if (!row->argument) return;
    printf("    --%s", row->name);
    if (cli_option_short(row)) printf(" | -%c", cli_option_short(row));
    if (strstr(row->argument, "FILE")) {
        printf(") return ;;\n"); /* the shell's own file names */
        return;
    }
    printf(") words=\"");
    print_choices(row->argument);
    if (cli_is_family(row->name)) print_members(row->name);
    printf("\" value=1 ;;\n");
}

static void print_topics(void) {
    const char *family;
    printf("    help) words=\"exit ");
    for (const cli_command *command = cli_commands; command->name; command++) printf("%s ", command->name);
    for (int64_t f = 0; (family = ny_family_name(f)) != NULL; f++) printf("%s ", family);
    printf("\" ;;\n    demo) [[ $word == -* ]] || words=\"list ");
    print_members("demo");
    printf("\" ;;\n");
}

void cli_help_completion(void) {
    printf(
        "# bash completion for nysel, made by 'nysel help --completion': do not edit\n"
        "_nysel() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= value=\n"
        "    COMPREPLY=()\n"
        "    if [[ $word == \"=\" ]]; then word=\n"
        "    elif [[ $before == \"=\" ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
        "    if ((COMP_CWORD == 1)); then\n"
        "        COMPREPLY=($(compgen -W \"");
    for (const cli_command *command = cli_commands; command->name; command++) printf("%s ", command->name);
    printf("--help --version\" -- \"$word\"))\n        return\n    fi\n    case $before in\n");
    cli_each_option(NULL, print_case, NULL);
    printf("    esac\n    [[ $value ]] || case ${COMP_WORDS[1]} in\n");
    print_topics();
    printf("    esac\n    [[ $value || $word != -* ]] || case ${COMP_WORDS[1]} in\n");
    for (const cli_command *command = cli_commands; command->name; command++) {
        printf("    %s) words=\"", command->name);
        cli_each_option(command->name, print_name, NULL);
        printf("--help\" ;;\n");
    }
    printf(
        "    esac\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
        "}\n"
        "complete -o default -F _nysel nysel\n");
}
