/* cmd_help.c: nysel help [TOPIC]. The forms with dashes serve the build: scripts/generate_docs.sh. */
#include <string.h>

#include "help.h"
#include "tables.h"

static int unknown_topic(const char *topic) {
    cli_suggestion s = {.word = topic};
    const char *family;
    const ny_option_row *row;
    for (const cli_command *command = cli_commands; command->name; command++) cli_suggest(&s, command->name);
    for (int64_t f = 0; (family = ny_family_name(f)) != NULL; f++) cli_suggest(&s, family);
    for (int64_t i = 0; (row = cli_option_at(i)) != NULL; i++) cli_suggest(&s, row->name);
    cli_suggest(&s, "exit");
    if (s.best) return cli_usage_error("no help on '%s'; did you mean '%s'?", topic, s.best);
    return cli_usage_error("no help on '%s'; 'nysel help' lists the commands", topic);
}

int cli_help_topic(const char *topic) {
    topic += strspn(topic, "-");
    const cli_command *command = cli_command_find(topic);
    const char *family = cli_topic_family(topic);
    bool option = cli_option_find(topic) != NULL;
    if (command) {
        cli_help_command(command);
        return EXIT_DONE;
    }
    if (strcmp(topic, "exit") == 0) {
        cli_help_exit();
        return EXIT_DONE;
    }
    if (option) cli_help_option(topic);
    if (option && family) putchar('\n');
    if (family) cli_help_family(family);
    return option || family ? EXIT_DONE : unknown_topic(topic);
}

static int man_page(const char *name) {
    const cli_command *command = name ? cli_command_find(name) : NULL;
    if (name && !command && strcmp(name, "nysel") != 0) return cli_usage_error("no command '%s'", name);
    cli_help_man(command);
    return EXIT_DONE;
}

int cmd_help(int argc, char **argv) {
    const char *topic = argc > 0 ? argv[0] : NULL;
    if (!topic || strcmp(topic, "-h") == 0 || strcmp(topic, "--help") == 0) {
        cli_help_overview();
    } else if (strcmp(topic, "--man") == 0) {
        return man_page(argc > 1 ? argv[1] : NULL);
    } else if (argc > 1) {
        return cli_usage_error("unexpected argument '%s'; usage: nysel help [TOPIC]", argv[1]);
    } else if (strcmp(topic, "--commands") == 0) {
        for (const cli_command *command = cli_commands; command->name; command++) puts(command->name);
    } else if (strcmp(topic, "--completion") == 0) {
        cli_help_completion();
    } else if (strcmp(topic, "--options-markdown") == 0) {
        cli_help_markdown();
    } else {
        return cli_help_topic(topic);
    }
    return EXIT_DONE;
}
