/* options.c: the option table at work: defaults, parsing by name, bounds, text of every value. */
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ctx.h"
#include "base/number.h"

typedef struct option option;
/* Writes the value of `text` into the field, or leaves it alone and says what was expected. The text outlives it. */
typedef ny_status parse_fn(ny_ctx *ctx, const option *o, const char *text, void *field);

struct option {
    ny_option_row row;
    parse_fn *parse;
    size_t offset; /* of the field */
    double lo, hi;
};

static ny_status bad(ny_ctx *ctx, const option *o, const char *text, const char *expected) {
    return ny_error(ctx, NY_ERR_USAGE, "--%s %s: expected %s", o->row.name, text, expected);
}

static bool number(const char *text, double *value) {
    return ny_number_parse(text, (int64_t)strlen(text), value) && isfinite(*value);
}

static ny_status bounded(ny_ctx *ctx, const option *o, const char *text, double v) {
    if (v >= o->lo && v <= o->hi) return NY_OK;
    return ny_error(ctx, NY_ERR_USAGE, "--%s %s: must be between %.10g and %.10g", o->row.name, text, o->lo, o->hi);
}

static ny_status parse_text(ny_ctx *ctx, const option *o, const char *text, void *field) {
    (void)ctx, (void)o;
    *(const char **)field = text;
    return NY_OK;
}

static ny_status parse_family(ny_ctx *ctx, const option *o, const char *text, void *field) {
    return parse_text(ctx, o, text, field);
}

/* The enumerators count the words of the argument, a|b|c. */
static ny_status parse_choice(ny_ctx *ctx, const option *o, const char *text, void *field) {
    size_t length = strlen(text);
    unsigned index = 0;
    for (const char *word = o->row.argument; word; index++) {
        if (length > 0 && !strchr(text, '|') && strncmp(word, text, length) == 0 &&
            (word[length] == '|' || word[length] == 0)) {
            *(unsigned *)field = index;
            return NY_OK;
        }
        word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL;
    }
    return bad(ctx, o, text, o->row.argument);
}

static ny_status parse_whole(ny_ctx *ctx, const option *o, const char *text, void *field) {
    double v;
    if (!number(text, &v) || v != floor(v)) return bad(ctx, o, text, "a whole number");
    ny_status st = bounded(ctx, o, text, v);
    if (st == NY_OK) *(int64_t *)field = (int64_t)v;
    return st;
}

static ny_status parse_rank(ny_ctx *ctx, const option *o, const char *text, void *field) {
    if (strcmp(text, "auto") != 0) return parse_whole(ctx, o, text, field);
    *(int64_t *)field = NY_AUTO;
    return NY_OK;
}

static ny_status parse_real(ny_ctx *ctx, const option *o, const char *text, void *field) {
    double v;
    if (!number(text, &v)) return bad(ctx, o, text, "a number");
    ny_status st = bounded(ctx, o, text, v);
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

static ny_status parse_bytes(ny_ctx *ctx, const option *o, const char *text, void *field) {
    static const double factor[] = {1024, 1048576, 1073741824, 1099511627776.0,
                                    1024, 1048576, 1073741824, 1099511627776.0};
    double v;
    if (!with_unit(text, "KMGTkmgt", factor, &v)) return bad(ctx, o, text, "a size such as 512M or 8G");
    ny_status st = bounded(ctx, o, text, v);
    if (st == NY_OK) *(int64_t *)field = (int64_t)v;
    return st;
}

static ny_status parse_seconds(ny_ctx *ctx, const option *o, const char *text, void *field) {
    static const double factor[] = {1, 60, 3600};
    double v;
    if (!with_unit(text, "smh", factor, &v)) return bad(ctx, o, text, "a time such as 90, 5m or 2h");
    ny_status st = bounded(ctx, o, text, v);
    if (st == NY_OK) *(double *)field = v;
    return st;
}

/* auto is NAN. */
/* A number is a share; anything else is the name of a file, and ./0.5 one that looks like a number. */
static ny_status parse_validation(ny_ctx *ctx, const option *o, const char *text, void *field) {
    ny_validation v = {0};
    if (!*text) return bad(ctx, o, text, "a file or a share of the rows");
    if (!number(text, &v.share)) v = (ny_validation){.file = text};
    ny_status st = v.file ? NY_OK : bounded(ctx, o, text, v.share);
    if (st == NY_OK) *(ny_validation *)field = v;
    return st;
}

static ny_status parse_measure(ny_ctx *ctx, const option *o, const char *text, void *field) {
    if (strcmp(text, "auto") != 0) return parse_real(ctx, o, text, field);
    *(double *)field = NAN;
    return NY_OK;
}

static ny_status parse_flag(ny_ctx *ctx, const option *o, const char *text, void *field) {
    bool yes = strcmp(text, "yes") == 0;
    if (!yes && strcmp(text, "no") != 0) return bad(ctx, o, text, "yes or no");
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

static ny_status parse_count(ny_ctx *ctx, const option *o, const char *text, void *field) {
    bool all = strcmp(text, "all") == 0, grow = strcmp(text, "grow") == 0;
    ny_count count = {.number = all ? NY_ALL : grow ? NY_GROW : NY_AUTO};
    ny_status st = NY_OK;
    if (strncmp(text, "auto:", 5) == 0) {
        if (!parse_list(text + 5, o->lo, o->hi, &count))
            return bad(ctx, o, text, "auto:M1,M2,... with at most 16 numbers");
    } else if (strcmp(text, "auto") != 0 && !all && !grow) {
        st = parse_whole(ctx, o, text, &count.number);
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

static ny_status parse_range(ny_ctx *ctx, const option *o, const char *text, void *field) {
    bool has_zhang = strstr(o->row.argument, "zhang");
    ny_range r = {.is_auto = strcmp(text, "auto") == 0, .is_zhang = has_zhang && strcmp(text, "zhang") == 0};
    double v[3] = {0, 0, 0}, single; /* parsing may leave a part of the text in it */
    bool word = r.is_auto || r.is_zhang;
    if (!word && number(text, &single)) {
        if (!(single > 0)) return bad(ctx, o, text, "a number above 0");
        r.single = single;
        r.lo = r.hi = log2(single);
        if (!(fabs(r.lo) <= 300)) return bad(ctx, o, text, "a number within 2^-300 .. 2^300");
    } else if (!word && (!three_numbers(text, v) || !(v[2] > 0) || !(v[0] <= v[1]) || !(fabs(v[0]) <= 300) ||
                         !(fabs(v[1]) <= 300) || (v[1] - v[0]) / v[2] > 10000)) {
        return bad(
            ctx, o, text,
            has_zhang
                ? "auto, zhang, a number above 0, or LO:HI:STEP, powers of two within -300 .. 300 with STEP above 0"
                : "auto, a number above 0, or LO:HI:STEP, powers of two within -300 .. 300 with STEP above 0");
    }
    if (!word && r.single == 0) r.lo = v[0], r.hi = v[1], r.step = v[2];
    *(ny_range *)field = r;
    return NY_OK;
}

#define X(type, field, name, argument, initial, lo, hi, commands, group, help, ...) \
    {{name, argument, initial, commands, group, help}, parse_##type, offsetof(ny_options, field), lo, hi},
#define W(enumerator, word) "|" word
#define C(field, name, words, initial, commands, group, help, ...) \
    {{name, &(words)[1], initial, commands, group, help}, parse_choice, offsetof(ny_options, field), 0, 0},
static const option table[] = {NY_OPTION_LIST(X, C)};
#undef C
#undef W
#undef X
enum { ROWS = sizeof table / sizeof *table };

const ny_option_row *ny_options_row(int64_t index) {
    return index >= 0 && index < ROWS ? &table[index].row : NULL;
}

static int find(const char *name) {
    for (int i = 0; i < ROWS; i++)
        if (strcmp(table[i].row.name, name) == 0) return i;
    return -1;
}

ny_status ny_options_put(ny_ctx *ctx, ny_options *options, const char *name, const char *text) {
    int i = find(name);
    if (i < 0) return ny_error(ctx, NY_ERR_USAGE, "no option is called --%s", name);
    char *copy = ny_strdup(ctx, text);
    if (!copy) return NY_ERR_MEMORY;
    ny_status st = table[i].parse(ctx, &table[i], copy, (char *)options + table[i].offset);
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
    for (int i = 0; i < ROWS && st == NY_OK; i++)
        st = ny_options_put(ctx, options, table[i].row.name, table[i].row.initial);
    if (st != NY_OK) {
        ny_options_free(options);
        return NULL;
    }
    memset(options->given, 0, ROWS * sizeof *options->given);
    return options;
}

bool ny_options_folds(const ny_options *options) {
    return options->fold_file[0] || (ny_options_given(options, "folds") && ny_is_auto(options->criterion));
}

bool ny_options_cut(const ny_options *options) {
    return options->rank || options->rank_floor > 0;
}

bool ny_options_low_rank(const ny_options *options) {
    return options->landmarks.number != NY_AUTO || options->landmarks.candidates || ny_options_cut(options) ||
           !ny_is_auto(options->landmark_method) || ny_options_given(options, "rank-tol");
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
        ny_status st = ny_options_put(ctx, copy, table[i].row.name, from->texts[i]);
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
    for (int i = 0; options->texts && i < ROWS; i++) ny_free(options->texts[i]);
    ny_free(options->texts);
    ny_free(options->given);
    ny_free(options);
}
