/* tables.c: see tables.h. */
#include "tables.h"

#include <stdio.h>
#include <string.h>

bool cli_has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *w = words; *w; w += strspn(w, " ")) {
        size_t end = strcspn(w, " ");
        if (end == length && strncmp(w, word, length) == 0) return true;
        w += end;
    }
    return false;
}

const ny_option_row *cli_option_at(int64_t index) {
    int64_t count = 0;
    while (ny_options_row(count)) count++;
    return index < count ? ny_options_row(index) : cli_option_own(index - count);
}

const ny_option_row *cli_option_find(const char *name) {
    const ny_option_row *row;
    for (int64_t i = 0; (row = cli_option_at(i)) != NULL; i++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

bool cli_is_family(const char *name) {
    const char *family;
    for (int64_t f = 0; (family = ny_family_name(f)) != NULL; f++)
        if (strcmp(family, name) == 0) return true;
    return false;
}

static bool accepts(const ny_option_row *row, const char *command) {
    return !command || cli_has_word(row->commands, command);
}

static bool seen_before(const char *command, int64_t index, const char *group) {
    for (int64_t i = 0; i < index; i++)
        if (accepts(cli_option_at(i), command) && strcmp(cli_option_at(i)->group, group) == 0) return true;
    return false;
}

/* Our own first within a group. */
void cli_each_option(const char *command, cli_option_visit *visit, void *user) {
    const ny_option_row *head, *row;
    for (int64_t i = 0; (head = cli_option_at(i)) != NULL; i++) {
        if (!accepts(head, command) || seen_before(command, i, head->group)) continue;
        bool first = true;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t j = 0; (row = pass ? ny_options_row(j) : cli_option_own(j)) != NULL; j++) {
                if (!accepts(row, command) || strcmp(row->group, head->group) != 0) continue;
                visit(user, row, first);
                first = false;
            }
    }
}

char cli_option_short(const ny_option_row *row) {
    if (strcmp(row->name, "output") == 0) return 'o';
    if (strcmp(row->name, "quiet") == 0) return 'q';
    return 0;
}

void cli_option_label(const ny_option_row *row, char *text, size_t size) {
    char letter[8] = "";
    if (cli_option_short(row)) snprintf(letter, sizeof letter, "-%c, ", cli_option_short(row));
    snprintf(text, size, "%s--%s%s%s", letter, row->name, row->argument ? " " : "", row->argument ? row->argument : "");
}

void cli_option_help(const ny_option_row *row, char *text, size_t size) {
    snprintf(text, size, "%s", row->help);
    if (!cli_is_family(row->name)) return;
    const char *member, *before = "; one of ";
    for (int64_t i = 0; (member = ny_family_member(row->name, i, NULL)) != NULL; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", before, member);
        before = ", ";
    }
}

bool cli_option_has_default(const ny_option_row *row) {
    return row->argument && row->initial && *row->initial;
}

/* Whether topic is the family's name, its plural (kernels, searches, criteria), or either of its first word. */
static bool names_family(const char *topic, const char *family) {
    size_t length = strlen(family);
    if (strncmp(topic, family, length) == 0) {
        const char *ending = topic + length;
        if (strcmp(ending, "") == 0 || strcmp(ending, "s") == 0 || strcmp(ending, "es") == 0) return true;
    }
    bool greek = length > 2 && strcmp(family + length - 2, "on") == 0;
    return greek && strlen(topic) == length - 1 && strncmp(topic, family, length - 2) == 0 && topic[length - 2] == 'a';
}

const char *cli_topic_family(const char *topic) {
    const char *family;
    for (int64_t f = 0; (family = ny_family_name(f)) != NULL; f++) {
        char first[64];
        snprintf(first, sizeof first, "%.*s", (int)strcspn(family, "-"), family);
        if (names_family(topic, family) || names_family(topic, first)) return family;
    }
    return NULL;
}

/* ---- suggestions ------------------------------------------------------------------------------------------ */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Levenshtein's edit distance, with one row of the table: D[i][j] = min(D[i-1][j] + 1, D[i][j-1] + 1,
 * D[i-1][j-1] + (a[i] != b[j])). */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[64], n = strlen(b);
    if (n >= 64 || strlen(a) >= 64) return 64;
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t above = row[j];
            row[j] = least(least(above, row[j - 1]) + 1, corner + (a[i - 1] != b[j - 1]));
            corner = above;
        }
    }
    return row[n];
}

void cli_suggest(cli_suggestion *suggestion, const char *candidate) {
    size_t length = strlen(suggestion->word);
    size_t distance = edit_distance(suggestion->word, candidate);
    if (length > 1 && strncmp(candidate, suggestion->word, length) == 0) distance = 1; /* the beginning of it */
    if (distance >= length || distance > 1 + length / 4 || (suggestion->best && distance >= suggestion->distance))
        return;
    suggestion->best = candidate;
    suggestion->distance = distance;
}
