/* test_options.c: every row of the option table at and beyond its bounds, what the texts become, every family. */
#include <math.h>

#include "with_ctx.h"

typedef enum {
    T_text,
    T_choice,
    T_family,
    T_whole,
    T_rank,
    T_real,
    T_measure,
    T_bytes,
    T_seconds,
    T_flag,
    T_range,
    T_count,
    T_validation
} type;

static const struct row {
    type type;
    const char *name, *argument, *initial;
    double lo, hi;
} list[] = {
#define X(type, field, name, argument, initial, lo, hi, commands, group, help, ...) \
    {T_##type, name, argument, initial, lo, hi},
#define W(enumerator, word) "|" word
#define C(field, name, words, initial, commands, group, help, ...) {T_choice, name, &(words)[1], initial, 0, 0},
    NY_OPTION_LIST(X, C)
#undef C
#undef W
#undef X
};
enum { ROWS = sizeof list / sizeof *list };

static void accepts(ny_options *o, const char *name, const char *text) {
    must(ctx, ny_options_set(ctx, o, name, text));
    assert_string_equal(ny_options_get(o, name), text);
}

/* Wrong usage; the message names the option and its text; the old value stays. */
static void refuses(ny_options *o, const char *name, const char *text) {
    char before[64];
    snprintf(before, sizeof before, "%s", ny_options_get(o, name));
    ny_status st = ny_options_set(ctx, o, name, text);
    if (st != NY_ERR_USAGE) fail_msg("--%s '%s': status %d", name, text, (int)st);
    if (!strstr(ny_message(ctx), name) || !strstr(ny_message(ctx), text))
        fail_msg("--%s '%s': the message is '%s'", name, text, ny_message(ctx));
    assert_string_equal(ny_options_get(o, name), before);
}

static void refuses_all(ny_options *o, const char *name, const char *const *texts) {
    for (; *texts; texts++) refuses(o, name, *texts);
}

static void bounds(ny_options *o, const struct row *row, double step) {
    char text[32];
    snprintf(text, sizeof text, "%.17g", row->lo);
    accepts(o, row->name, text);
    snprintf(text, sizeof text, "%.17g", row->hi);
    accepts(o, row->name, text);
    snprintf(text, sizeof text, "%.17g", row->lo - step);
    refuses(o, row->name, text);
    snprintf(text, sizeof text, "%.17g", fmax(row->hi + step, nextafter(row->hi, INFINITY)));
    refuses(o, row->name, text);
    refuses_all(o, row->name, (const char *const[]){"", "x", "1x", "nan", "inf", "1e400", "--1", "1 2", NULL});
}

static void words(ny_options *o, const struct row *row) {
    char copy[128], *save = NULL;
    snprintf(copy, sizeof copy, "%s", row->argument);
    for (char *word = strtok_r(copy, "|", &save); word; word = strtok_r(NULL, "|", &save)) accepts(o, row->name, word);
    refuses_all(o, row->name, (const char *const[]){"", "nosuch", "a", row->argument, NULL});
    snprintf(copy, sizeof copy, "%s", row->initial);
    copy[strlen(copy) - 1] = 0; /* a beginning of a word is not the word */
    refuses(o, row->name, copy);
}

static void members(ny_options *o, const struct row *row) {
    const char *member;
    int64_t count = 0;
    for (; (member = ny_family_member(row->name, count, NULL)); count++) accepts(o, row->name, member);
    assert_true(count >= 2);
    accepts(o, row->name, row->initial);
    refuses_all(o, row->name, (const char *const[]){"", "nosuch", NULL});
}

static void try_row(ny_options *o, const struct row *row) {
    static char longest[10001];
    switch (row->type) {
        case T_text:
            memset(longest, 'x', sizeof longest - 1);
            accepts(o, row->name, longest);
            accepts(o, row->name, "");
            accepts(o, row->name, "\xff\x01 \"'%s%n");
            break;
        case T_choice:
            words(o, row);
            break;
        case T_family:
            members(o, row);
            break;
        case T_whole:
            bounds(o, row, 1);
            refuses(o, row->name, "1.5");
            break;
        case T_rank:
            bounds(o, row, 1);
            accepts(o, row->name, "auto");
            refuses_all(o, row->name, (const char *const[]){"1.5", "all", "aut", NULL});
            break;
        case T_measure:
            bounds(o, row, 1);
            accepts(o, row->name, "auto");
            break;
        case T_real:
            bounds(o, row, 1);
            break;
        case T_bytes:
            bounds(o, row, 1);
            accepts(o, row->name, "512M");
            accepts(o, row->name, "1.5g");
            refuses_all(o, row->name, (const char *const[]){"M", "5Q", "5MB", "-1M", "10000000T", NULL});
            break;
        case T_seconds:
            bounds(o, row, 1);
            accepts(o, row->name, "90s");
            accepts(o, row->name, "5m");
            accepts(o, row->name, "0.5h");
            refuses_all(o, row->name, (const char *const[]){"m", "5d", "5min", "-1h", NULL});
            break;
        case T_flag:
            accepts(o, row->name, "yes");
            accepts(o, row->name, "no");
            refuses_all(o, row->name, (const char *const[]){"", "maybe", "1", "YES", NULL});
            break;
        case T_validation:
            accepts(o, row->name, "0.001");
            accepts(o, row->name, "0.999");
            accepts(o, row->name, "rows.csv");
            accepts(o, row->name, "./0.5");
            refuses_all(o, row->name, (const char *const[]){"", "0", "1", "-0.5", "1.5", NULL});
            break;
        case T_range:
            accepts(o, row->name, "auto");
            accepts(o, row->name, "0.25");
            accepts(o, row->name, "1e-90");
            accepts(o, row->name, "-3:3:0.5");
            accepts(o, row->name, "2:2:1");
            if (strcmp(row->name, "bandwidth") == 0) accepts(o, row->name, "zhang");
            else refuses(o, row->name, "zhang");
            refuses_all(
                o, row->name,
                (const char *const[]){"", "0", "-1", "nan", "inf", "1e300", "1e-300", "x", "5:1:1", "1:2", "1:2:0",
                                      "1:2:-1", "1:2:3:4", "1:2:3x", "-301:0:1", "0:301:1", "0:300:0.01", "::", NULL});
            break;
        case T_count:
            accepts(o, row->name, "auto");
            accepts(o, row->name, "all");
            bounds(o, row, 1);
            refuses_all(o, row->name, (const char *const[]){"1.5", "ALL", NULL});
            break;
    }
}

static void every_option(void **state) {
    (void)state;
    ny_options *o = ny_options_new(ctx), *copy = NULL;
    assert_non_null(o);
    for (int64_t i = 0; i < ROWS; i++) {
        const ny_option_row *row = ny_options_row(i);
        assert_string_equal(row->name, list[i].name);
        assert_string_equal(ny_options_get(o, row->name), row->initial);
        assert_true(row->commands[0] && row->group[0] && row->help[0]);
        assert_true((row->argument == NULL) == (list[i].type == T_flag));
        for (int64_t k = 0; k < i; k++) assert_string_not_equal(ny_options_row(k)->name, row->name);
        try_row(o, &list[i]);
    }
    assert_null(ny_options_row(ROWS));
    assert_null(ny_options_row(-1));
    must(ctx, ny_options_copy(ctx, o, &copy));
    for (int64_t i = 0; i < ROWS; i++)
        assert_string_equal(ny_options_get(copy, list[i].name), ny_options_get(o, list[i].name));
    assert_int_equal(ny_options_set(ctx, o, "nosuch", "1"), NY_ERR_USAGE);
    assert_non_null(strstr(ny_message(ctx), "nosuch"));
    assert_int_equal(ny_options_set(ctx, o, "", "1"), NY_ERR_USAGE);
    assert_null(ny_options_get(o, "nosuch"));
    ny_options_free(copy);
    ny_options_free(o);
    ny_options_free(NULL);
}

/* What the texts become. */
static void option_values(void **state) {
    (void)state;
    ny_options *o = make_options(ctx, "memory", "1.5G", "time-limit", "5m", "landmarks", "all", "seed",
                                 "9007199254740992", "bound", "yes", "C", "-3:2:0.5", "bandwidth", "8", NULL);
    assert_int_equal(o->memory, 1610612736);
    assert_close(o->time_limit, 300, 0);
    assert_int_equal(o->landmarks.number, NY_ALL);
    assert_int_equal(o->seed, 9007199254740992);
    assert_true(o->bound);
    assert_false(o->C.is_auto);
    assert_true(o->C.lo == -3 && o->C.hi == 2 && o->C.step == 0.5 && o->C.single == 0);
    assert_true(o->bandwidth.lo == 3 && o->bandwidth.hi == 3 && o->bandwidth.step == 0 && o->bandwidth.single == 8);
    must(ctx, ny_options_set(ctx, o, "bandwidth", "2:5:1")); /* starts like a number */
    assert_true(o->bandwidth.lo == 2 && o->bandwidth.hi == 5 && o->bandwidth.step == 1 && o->bandwidth.single == 0);
    must(ctx, ny_options_set(ctx, o, "bandwidth", "auto"));
    assert_true(o->bandwidth.is_auto && o->bandwidth.single == 0);
    must(ctx, ny_options_set(ctx, o, "bandwidth", "zhang"));
    assert_true(o->bandwidth.is_zhang && !o->bandwidth.is_auto && o->bandwidth.single == 0);
    must(ctx, ny_options_set(ctx, o, "bandwidth", "3"));
    assert_true(!o->bandwidth.is_zhang && o->bandwidth.single == 3);
    assert_int_equal(o->rank, 0);
    must(ctx, ny_options_set(ctx, o, "rank", "auto"));
    assert_int_equal(o->rank, NY_AUTO);
    must(ctx, ny_options_set(ctx, o, "landmarks", "auto"));
    assert_int_equal(o->landmarks.number, NY_AUTO);
    ny_options_free(o);
}

static void every_family(void **state) {
    (void)state;
    static const char *const expected[] = {"kernel",  "criterion", "search",     "landmark-method",
                                           "machine", "scale",     "multiclass", "demo"};
    const char *family, *member, *help;
    int64_t families = 0;
    for (; (family = ny_family_name(families)); families++) {
        int64_t count = 0;
        for (; (member = ny_family_member(family, count, &help)); count++) {
            assert_true(member[0] && help && help[0]);
            assert_null(strchr(member, ' '));
            for (int64_t k = 0; k < count; k++) assert_string_not_equal(ny_family_member(family, k, NULL), member);
        }
        assert_true(count >= 1);
        assert_null(ny_family_member(family, -1, NULL));
        assert_null(ny_family_member(family, INT64_MAX, NULL));
    }
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_non_null(ny_family_member(expected[i], 0, NULL));
    assert_true(families >= (int64_t)(sizeof expected / sizeof *expected));
    assert_null(ny_family_name(-1));
    assert_null(ny_family_name(INT64_MAX));
    assert_null(ny_family_member("nosuch", 0, NULL));
}

/* What a run does where nothing is said is a contract: results of today's command are those of next year's. Written out
 * once more, so that a default changes on purpose only. */
static void every_default(void **state) {
    (void)state;
    static const struct {
        const char *name, *initial;
    } contract[] = {
        {"test", ""},
        {"format", "auto"},
        {"target", ""},
        {"header", "auto"},
        {"missing", "auto"},
        {"categorical", ""},
        {"ignore", "auto"},
        {"na", ""},
        {"decimal", "auto"},
        {"weight-column", ""},
        {"task", "auto"},
        {"machine", "lssvm"},
        {"hinge", "smooth"},
        {"hinge-width", "0.25"},
        {"epsilon", "auto"},
        {"delta", "auto"},
        {"quantiles", "0.5"},
        {"kernel", "auto"},
        {"degree", "3"},
        {"coef0", "1"},
        {"scale", "standard"},
        {"multiclass", "ova"},
        {"decoding", "auto"},
        {"class-weight", "none"},
        {"proba-method", "auto"},
        {"posterior", "auto"},
        {"prior", ""},
        {"solver", "auto"},
        {"solver-tol", "1e-8"},
        {"solver-iterations", "1000"},
        {"landmarks", "auto"},
        {"landmark-method", "auto"},
        {"rank", "0"},
        {"rank-tol", "1e-10"},
        {"rank-floor", "0"},
        {"expansion", "landmarks"},
        {"criterion", "auto"},
        {"select-on", "auto"},
        {"folds", "10"},
        {"fold-file", ""},
        {"search", "profile"},
        {"bandwidth", "auto"},
        {"C", "auto"},
        {"csa-evaluations", "90"},
        {"csa-starters", "5"},
        {"simplex-evaluations", "70"},
        {"select-threshold", "0.5"},
        {"ard-by", "evidence"},
        {"lambda-max", "1e7"},
        {"lambda-min", "auto"},
        {"interval", "0"},
        {"outside", "clip"},
        {"id", ""},
        {"seed", "1"},
        {"threads", "0"},
        {"block-rows", "0"},
        {"memory", "0"},
        {"stream", "auto"},
        {"time-limit", "0"},
    };
    enum { CONTRACT = sizeof contract / sizeof *contract };
    for (int i = 0; i < CONTRACT; i++) {
        const char *initial = NULL;
        bool there = false;
        for (int k = 0; k < ROWS; k++)
            if (strcmp(list[k].name, contract[i].name) == 0) there = true, initial = list[k].initial;
        if (!there) fail_msg("there is no --%s", contract[i].name);
        if (strcmp(initial ? initial : "", contract[i].initial ? contract[i].initial : "") != 0)
            fail_msg("--%s is '%s' by default, not '%s'", contract[i].name, initial, contract[i].initial);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option),
        cmocka_unit_test(every_default),
        cmocka_unit_test(option_values),
        cmocka_unit_test(every_family),
    };
    return cmocka_run_group_tests_name("options and families", tests, setup, teardown);
}
