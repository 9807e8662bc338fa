/* options.c: the option table at work: defaults, parsing by name, bounds, text of every value. */
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctx.h"
#include "number.h"

typedef ny_status parse_fn(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text, void *field);

static ny_status bad(ny_ctx *ctx, const ny_option_row *row, const char *text, const char *expected) {
    return ny_error(ctx, NY_ERR_USAGE, "--%s %s: expected %s", row->name, text, expected);
}

static bool number(const char *text, double *value) {
    return ny_number_parse(text, (int64_t)strlen(text), value) && isfinite(*value);
}

static ny_status bounded(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text, double v) {
    if (v >= lo && v <= hi) return NY_OK;
    return ny_error(ctx, NY_ERR_USAGE, "--%s %s: must be between %.10g and %.10g", row->name, text, lo, hi);
}

static ny_status parse_text(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                            void *field) {
    (void)row, (void)lo, (void)hi;
    char *copy = ny_strdup(ctx, text);
    if (!copy) return NY_ERR_MEMORY;
    ny_free(*(char **)field);
    *(char **)field = copy;
    return NY_OK;
}

static ny_status parse_choice(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                              void *field) {
    size_t length = strlen(text);
    for (const char *word = row->argument; word; word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL)
        if (length > 0 && !strchr(text, '|') && strncmp(word, text, length) == 0 &&
            (word[length] == '|' || word[length] == 0))
            return parse_text(ctx, row, lo, hi, text, field);
    return bad(ctx, row, text, row->argument);
}

/* The members come from the families' own tables, through the public lookup (src/api/families.c). */
static ny_status parse_family(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                              void *field) {
    char known[400] = "one of auto";
    const char *name;
    if (strcmp(row->initial, "auto") != 0) known[strlen("one of ")] = 0;
    if (strcmp(text, row->initial) == 0) return parse_text(ctx, row, lo, hi, text, field);
    for (int64_t i = 0; (name = ny_family_member(row->name, i, NULL)); i++) {
        if (strcmp(name, text) == 0) return parse_text(ctx, row, lo, hi, text, field);
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", known[used - 1] == ' ' ? "" : ", ", name);
    }
    return bad(ctx, row, text, known);
}

static ny_status parse_whole(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                             void *field) {
    double v;
    if (!number(text, &v) || v != floor(v)) return bad(ctx, row, text, "a whole number");
    ny_status st = bounded(ctx, row, lo, hi, text, v);
    if (st == NY_OK) *(int64_t *)field = (int64_t)v;
    return st;
}

static ny_status parse_rank(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                            void *field) {
    if (strcmp(text, "auto") != 0) return parse_whole(ctx, row, lo, hi, text, field);
    *(int64_t *)field = NY_AUTO;
    return NY_OK;
}

static ny_status parse_real(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                            void *field) {
    double v;
    if (!number(text, &v)) return bad(ctx, row, text, "a number");
    ny_status st = bounded(ctx, row, lo, hi, text, v);
    if (st == NY_OK) *(double *)field = v;
    return st;
}

/* A number and an optional unit out of `units`, whose factors are in `factor`. */
static bool with_unit(const char *text, const char *units, const double *factor, double *value) {
    const char *end = ny_number_scan(text, text + strlen(text), value);
    if (!end || !isfinite(*value)) return false;
    if (*end == 0) return true;
    const char *unit = strchr(units, *end);
    if (!unit || end[1] != 0) return false;
    *value *= factor[unit - units];
    return true;
}

static ny_status parse_bytes(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                             void *field) {
    static const double factor[] = {1024, 1048576, 1073741824, 1099511627776.0,
                                    1024, 1048576, 1073741824, 1099511627776.0};
    double v;
    if (!with_unit(text, "KMGTkmgt", factor, &v)) return bad(ctx, row, text, "a size such as 512M or 8G");
    ny_status st = bounded(ctx, row, lo, hi, text, v);
    if (st == NY_OK) *(int64_t *)field = (int64_t)v;
    return st;
}

static ny_status parse_seconds(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                               void *field) {
    static const double factor[] = {1, 60, 3600};
    double v;
    if (!with_unit(text, "smh", factor, &v)) return bad(ctx, row, text, "a time such as 90, 5m or 2h");
    ny_status st = bounded(ctx, row, lo, hi, text, v);
    if (st == NY_OK) *(double *)field = v;
    return st;
}

/* auto is NAN. */
static ny_status parse_measure(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                               void *field) {
    if (strcmp(text, "auto") != 0) return parse_real(ctx, row, lo, hi, text, field);
    *(double *)field = NAN;
    return NY_OK;
}

static ny_status parse_flag(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                            void *field) {
    (void)lo, (void)hi;
    bool yes = strcmp(text, "yes") == 0;
    if (!yes && strcmp(text, "no") != 0) return bad(ctx, row, text, "yes or no");
    *(bool *)field = yes;
    return NY_OK;
}

/* M1,M2,... */
static bool parse_list(const char *text, double lo, double hi, ny_count *count) {
    const char *end = text + strlen(text);
    for (;; text++) {
        double v;
        if (count->candidates == NY_CANDIDATES_MAX || !(text = ny_number_scan(text, end, &v))) return false;
        if (v != floor(v) || !(v >= lo && v <= hi)) return false;
        count->candidate[count->candidates++] = (int64_t)v;
        if (*text != ',') return *text == 0;
    }
}

static ny_status parse_count(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                             void *field) {
    bool all = strcmp(text, "all") == 0, grow = strcmp(text, "grow") == 0;
    ny_count count = {.number = all ? NY_ALL : grow ? NY_GROW : NY_AUTO};
    ny_status st = NY_OK;
    if (strncmp(text, "auto:", 5) == 0) {
        if (!parse_list(text + 5, lo, hi, &count)) return bad(ctx, row, text, "auto:M1,M2,... with at most 16 numbers");
    } else if (strcmp(text, "auto") != 0 && !all && !grow) {
        st = parse_whole(ctx, row, lo, hi, text, &count.number);
    }
    if (st == NY_OK) *(ny_count *)field = count;
    return st;
}

/* LO:HI:STEP */
static bool three_numbers(const char *text, double v[3]) {
    const char *end = text + strlen(text);
    for (int i = 0; i < 3; i++) {
        if (i > 0 && *text++ != ':') return false;
        if (!(text = ny_number_scan(text, end, &v[i])) || !isfinite(v[i])) return false;
    }
    return text == end;
}

static ny_status parse_range(ny_ctx *ctx, const ny_option_row *row, double lo, double hi, const char *text,
                             void *field) {
    (void)lo, (void)hi;
    bool has_zhang = strstr(row->argument, "zhang");
    ny_range r = {.is_auto = strcmp(text, "auto") == 0, .is_zhang = has_zhang && strcmp(text, "zhang") == 0};
    double v[3] = {0, 0, 0}, single; /* parsing may leave a part of the text in it */
    bool word = r.is_auto || r.is_zhang;
    if (!word && number(text, &single)) {
        if (!(single > 0)) return bad(ctx, row, text, "a number above 0");
        r.single = single;
        r.lo = r.hi = log2(single);
        if (!(fabs(r.lo) <= 300)) return bad(ctx, row, text, "a number within 2^-300 .. 2^300");
    } else if (!word && (!three_numbers(text, v) || !(v[2] > 0) || !(v[0] <= v[1]) || !(fabs(v[0]) <= 300) ||
                         !(fabs(v[1]) <= 300) || (v[1] - v[0]) / v[2] > 10000)) {
        return bad(
            ctx, row, text,
            has_zhang
                ? "auto, zhang, a number above 0, or LO:HI:STEP, powers of two within -300 .. 300 with STEP above 0"
                : "auto, a number above 0, or LO:HI:STEP, powers of two within -300 .. 300 with STEP above 0");
    }
    if (!word && r.single == 0) r.lo = v[0], r.hi = v[1], r.step = v[2];
    *(ny_range *)field = r;
    return NY_OK;
}

static const ny_option_row rows[] = {
#define X(type, field, name, argument, initial, lo, hi, commands, group, help) \
    {name, argument, initial, commands, group, help},
    NY_OPTION_LIST(X)
#undef X
};
static const struct {
    parse_fn *parse;
    size_t offset;
    double lo, hi;
    bool owned; /* the field is a string of ours */
} details[] = {
#define IS_text true
#define IS_choice true
#define IS_family true
#define IS_whole false
#define IS_rank false
#define IS_real false
#define IS_measure false
#define IS_bytes false
#define IS_seconds false
#define IS_flag false
#define IS_range false
#define IS_count false
#define X(type, field, name, argument, initial, lo, hi, commands, group, help) \
    {parse_##type, offsetof(ny_options, field), lo, hi, IS_##type},
    NY_OPTION_LIST(X)
#undef X
};
enum { ROWS = sizeof rows / sizeof *rows };

const ny_option_row *ny_options_row(int64_t index) {
    return index >= 0 && index < ROWS ? &rows[index] : NULL;
}

static int find(const char *name) {
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0) return i;
    return -1;
}

ny_status ny_options_set(ny_ctx *ctx, ny_options *options, const char *name, const char *text) {
    NY_NEEDS(ctx, options && name && text, "options, a name and a text");
    int i = find(name);
    if (i < 0) return ny_error(ctx, NY_ERR_USAGE, "no option is called --%s", name);
    char *copy = ny_strdup(ctx, text);
    if (!copy) return NY_ERR_MEMORY;
    ny_status st =
        details[i].parse(ctx, &rows[i], details[i].lo, details[i].hi, text, (char *)options + details[i].offset);
    if (st != NY_OK) {
        ny_free(copy);
        return st;
    }
    ny_free(options->texts[i]);
    options->texts[i] = copy;
    options->given[i] = true;
    return NY_OK;
}

const char *ny_options_get(const ny_options *options, const char *name) {
    int i = options && name ? find(name) : -1;
    return i < 0 ? NULL : options->texts[i];
}

int ny_options_given(const ny_options *options, const char *name) {
    int i = find(name);
    return i >= 0 && options->given[i];
}

ny_options *ny_options_new(ny_ctx *ctx) {
    ny_options *options = ny_alloc(ctx, 1, sizeof *options);
    if (!options) return NULL;
    options->texts = ny_alloc(ctx, ROWS, sizeof *options->texts);
    options->given = ny_alloc(ctx, ROWS, sizeof *options->given);
    ny_status st = options->texts && options->given ? NY_OK : NY_ERR_MEMORY;
    for (int i = 0; i < ROWS && st == NY_OK; i++) st = ny_options_set(ctx, options, rows[i].name, rows[i].initial);
    if (st != NY_OK) {
        ny_options_free(options);
        return NULL;
    }
    memset(options->given, 0, ROWS * sizeof *options->given);
    return options;
}

bool ny_options_exact(const ny_options *options) {
    return strcmp(options->solver, "cg") == 0;
}

bool ny_options_folds(const ny_options *options) {
    return options->fold_file[0] || (ny_options_given(options, "folds") && strcmp(options->criterion, "auto") == 0);
}

bool ny_options_low_rank(const ny_options *options) {
    return options->landmarks.number != NY_AUTO || options->landmarks.candidates || options->rank ||
           strcmp(options->landmark_method, "auto") != 0 || ny_options_given(options, "rank-tol");
}

double ny_options_memory(const ny_options *options) {
    return options->memory > 0 ? (double)options->memory : 0.8 * (double)ny_available_bytes();
}

ny_status ny_range_points(ny_ctx *ctx, const ny_range *range, int64_t *count, double **points) {
    ny_status st = NY_OK;
    *count = range->step > 0 ? (int64_t)floor((range->hi - range->lo) / range->step + 1e-9) + 1 : 1;
    NY_NEW_RAW(ctx, *points, *count);
    for (int64_t i = 0; i < *count; i++)
        (*points)[i] = range->step > 0 ? exp2(range->lo + (double)i * range->step) : range->single;
done:
    return st;
}

ny_status ny_options_copy(ny_ctx *ctx, const ny_options *from, ny_options **to) {
    ny_options *copy = ny_options_new(ctx);
    if (!copy) return NY_ERR_MEMORY;
    for (int i = 0; i < ROWS; i++) {
        ny_status st = ny_options_set(ctx, copy, rows[i].name, from->texts[i]);
        if (st != NY_OK) {
            ny_options_free(copy);
            return st;
        }
        copy->given[i] = from->given[i];
    }
    *to = copy;
    return NY_OK;
}

void ny_options_free(ny_options *options) {
    if (!options) return;
    for (int i = 0; i < ROWS; i++) {
        if (details[i].owned) ny_free(*(char **)((char *)options + details[i].offset));
        if (options->texts) ny_free(options->texts[i]);
    }
    ny_free(options->texts);
    ny_free(options->given);
    ny_free(options);
}
