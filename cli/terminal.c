/* terminal.c: what the terminal can show. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

bool cli_colour(FILE *stream) {
    return isatty(fileno(stream)) && !*environment("NO_COLOR") && strcmp(environment("TERM"), "dumb") != 0;
}

bool cli_unicode(void) {
    /* The order in which C looks for the character set; setlocale itself would change the decimal point. */
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = environment(names[i]);
        if (*value) return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

int cli_width(FILE *stream, int otherwise) {
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return otherwise;
}
