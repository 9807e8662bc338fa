/* cgroup.c: /proc/self/cgroup names the group of each controller, /proc/self/mountinfo where the groups can be seen:
 *
 *     4:memory:/a/b                    (version 1: one tree for each list of controllers)
 *     0::/a/b                          (version 2: one tree for all)
 *     32 24 0:27 /a /sys/fs/cgroup/memory rw,... - cgroup cgroup rw,memory
 *
 * A tree need not be mounted at its root (/a in the third line): then only what is below /a can be seen. */
#include "cgroup.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    char group[PATH_MAX]; /* the folder of the group of this process */
    size_t top;           /* length of the part of it that is the mounted tree */
    bool second;          /* version 2 */
} place;

int64_t ny_read_number(const char *path, const char *key) {
    FILE *f = fopen(path, "re");
    if (!f) return -1;
    char line[256];
    int64_t value = -1;
    size_t length = strlen(key);
    while (value < 0 && fgets(line, sizeof line, f))
        if (strncmp(line, key, length) == 0) value = (int64_t)strtoll(line + length, NULL, 10);
    fclose(f);
    return value > 0 ? value : -1;
}

/* Is the word one of those between commas? */
static bool among(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t rest = strcspn(at, ",\n");
        if (rest == length && strncmp(at, word, length) == 0) return true;
    }
    return false;
}

/* The path of the group of a controller; with NULL that of version 2. */
static bool find_group(const char *root, const char *controller, char *path) {
    char name[PATH_MAX], line[PATH_MAX];
    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *f = fopen(name, "re");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f)) {
        char *list = strchr(line, ':'), *where = list ? strchr(list + 1, ':') : NULL;
        if (!where) continue;
        *where++ = '\0';
        where[strcspn(where, "\n")] = '\0';
        list++;
        found = controller ? among(list, controller) : *list == '\0';
        if (found) strcpy(path, where); /* a part of line, which is as long */
    }
    if (f) fclose(f);
    return found;
}

/* Where the tree of that controller is mounted, and which part of it. */
static bool find_mount(const char *root, const char *controller, char *part, char *mount) {
    char name[PATH_MAX], *line = NULL;
    size_t room = 0;
    snprintf(name, sizeof name, "%s/proc/self/mountinfo", root);
    FILE *f = fopen(name, "re");
    bool found = false;
    while (f && !found && getline(&line, &room, f) > 0) {
        char kind[32], options[1024], *rest = strstr(line, " - ");
        if (!rest || strlen(line) >= PATH_MAX || sscanf(rest, " - %31s %*s %1023s", kind, options) != 2) continue;
        if (sscanf(line, "%*s %*s %*s %s %s", part, mount) != 2) continue;
        found = controller ? strcmp(kind, "cgroup") == 0 && among(options, controller) : strcmp(kind, "cgroup2") == 0;
    }
    if (f) fclose(f);
    free(line);
    return found;
}

static bool find_place(const char *root, const char *controller, bool second, place *p) {
    char group[PATH_MAX], part[PATH_MAX], mount[PATH_MAX];
    const char *name = second ? NULL : controller, *below = group;
    if (!find_group(root, name, group) || !find_mount(root, name, part, mount)) return false;
    size_t length = strcmp(part, "/") == 0 ? 0 : strlen(part);
    if (strncmp(group, part, length) == 0 && (group[length] == '/' || group[length] == '\0')) below += length;
    else below = "";                      /* another namespace: what is mounted is what can be seen */
    if (strstr(below, "/..")) below = ""; /* the same, said in another way */
    int top = snprintf(p->group, sizeof p->group, "%s%s", root, mount);
    if (top < 0 || (size_t)top + strlen(below) >= sizeof p->group) return false;
    strcpy(p->group + top, below);
    p->top = (size_t)top;
    p->second = second;
    return true;
}

static int64_t number_in(const place *p, const char *file, const char *key) {
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", p->group, file);
    return ny_read_number(path, key);
}

/* What one group leaves: its limit without what is used, where pages of files that could be dropped are not used. */
static double memory_of(const place *p) {
    int64_t limit = number_in(p, p->second ? "memory.max" : "memory.limit_in_bytes", "");
    int64_t high = p->second ? number_in(p, "memory.high", "") : -1; /* above it everything crawls */
    int64_t used = number_in(p, p->second ? "memory.current" : "memory.usage_in_bytes", "");
    int64_t files = number_in(p, "memory.stat", p->second ? "inactive_file " : "total_inactive_file ");
    if (high > 0 && (limit < 0 || high < limit)) limit = high;
    if (limit < 0) return HUGE_VAL;
    if (files > 0 && files < used) used -= files;
    return fmax((double)limit - fmax((double)used, 0), 0);
}

static double processors_of(const place *p) {
    if (!p->second) {
        int64_t quota = number_in(p, "cpu.cfs_quota_us", ""), period = number_in(p, "cpu.cfs_period_us", "");
        return quota > 0 && period > 0 ? (double)quota / (double)period : HUGE_VAL;
    }
    char path[PATH_MAX + 64];
    double quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", p->group);
    FILE *f = fopen(path, "re");
    bool limited = f && fscanf(f, "%lf %lf", &quota, &period) == 2 && quota > 0 && period > 0; /* "max 100000": no */
    if (f) fclose(f);
    return limited ? quota / period : HUGE_VAL;
}

/* The least over the group and all above it, in both versions: a machine may have some controllers in each. */
static double least(const char *root, const char *controller, double (*left)(const place *)) {
    double least = HUGE_VAL;
    for (int second = 0; second < 2; second++) {
        place p;
        if (!find_place(root, controller, second == 1, &p)) continue;
        for (;;) {
            least = fmin(least, left(&p));
            char *slash = strrchr(p.group, '/');
            if (!slash || slash < p.group + p.top) break;
            *slash = '\0';
        }
    }
    return least;
}

int64_t ny_cgroup_memory(const char *root) {
    double bytes = least(root, "memory", memory_of);
    return bytes < (double)INT64_MAX ? (int64_t)bytes : INT64_MAX;
}

double ny_cgroup_processors(const char *root) {
    return least(root, "cpu", processors_of);
}
