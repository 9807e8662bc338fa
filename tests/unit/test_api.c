/* test_api.c: the public interface at its edges: every row of the option table, every family, data from memory,
 * cancellation and time limits, status texts; and what stands below it: random numbers and the allocator. */
#include <math.h>

#include "base/alloc.h"
#include "data/data.h"
#include "model/model.h"
#include "support.h"

static ny_ctx *ctx;

/* For the sanitizers: blocks that no machine has are asked for on purpose. */
NY_API const char *__asan_default_options(void);
NY_API const char *__tsan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
const char *__tsan_default_options(void) { return "allocator_may_return_null=1"; }

static int setup(void **state) {
    (void)state;
    return (ctx = ny_ctx_new()) ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    ny_ctx_free(ctx);
    return ny_alloc_live() == 0 ? 0 : -1;
}

/* ---- options --------------------------------------------------------------------------------------------------------- */

typedef enum { T_text, T_choice, T_family, T_whole, T_real, T_bytes, T_seconds, T_flag, T_range, T_count } type;

static const struct row {
    type type;
    const char *name, *argument, *initial;
    double lo, hi;
} list[] = {
#define X(type, field, name, argument, initial, lo, hi, commands, group, help) {T_##type, name, argument, initial, lo, hi},
    NY_OPTION_LIST(X)
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
    case T_choice: words(o, row); break;
    case T_family: members(o, row); break;
    case T_whole:
        bounds(o, row, 1);
        refuses(o, row->name, "1.5");
        break;
    case T_real: bounds(o, row, 1); break;
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
    case T_range:
        accepts(o, row->name, "auto");
        accepts(o, row->name, "0.25");
        accepts(o, row->name, "1e-90");
        accepts(o, row->name, "-3:3:0.5");
        accepts(o, row->name, "2:2:1");
        refuses_all(o, row->name, (const char *const[]){"", "0", "-1", "nan", "inf", "1e300", "1e-300", "x", "5:1:1", "1:2", "1:2:0",
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
    ny_options *o = make_options(ctx, "memory", "1.5G", "time-limit", "5m", "landmarks", "all", "seed", "9007199254740992",
                                 "quiet", "yes", "C", "-3:2:0.5", "bandwidth", "8", NULL);
    assert_int_equal(o->memory, 1610612736);
    assert_close(o->time_limit, 300, 0);
    assert_int_equal(o->landmarks, NY_ALL);
    assert_int_equal(o->seed, 9007199254740992);
    assert_true(o->quiet);
    assert_false(o->C.is_auto);
    assert_true(o->C.lo == -3 && o->C.hi == 2 && o->C.step == 0.5 && o->C.single == 0);
    assert_true(o->bandwidth.lo == 3 && o->bandwidth.hi == 3 && o->bandwidth.step == 0 && o->bandwidth.single == 8);
    must(ctx, ny_options_set(ctx, o, "bandwidth", "2:5:1")); /* starts like a number */
    assert_true(o->bandwidth.lo == 2 && o->bandwidth.hi == 5 && o->bandwidth.step == 1 && o->bandwidth.single == 0);
    must(ctx, ny_options_set(ctx, o, "bandwidth", "auto"));
    assert_true(o->bandwidth.is_auto && o->bandwidth.single == 0);
    must(ctx, ny_options_set(ctx, o, "landmarks", "auto"));
    assert_int_equal(o->landmarks, NY_AUTO);
    ny_options_free(o);
}

static void every_family(void **state) {
    (void)state;
    static const char *const expected[] = {"kernel", "criterion", "search", "landmark-method", "machine", "scale", "multiclass", "demo"};
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
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) assert_non_null(ny_family_member(expected[i], 0, NULL));
    assert_true(families >= (int64_t)(sizeof expected / sizeof *expected));
    assert_null(ny_family_name(-1));
    assert_null(ny_family_name(INT64_MAX));
    assert_null(ny_family_member("nosuch", 0, NULL));
}

/* ---- data from memory ------------------------------------------------------------------------------------------------ */

static void data_from_rows(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {0.5, 1.5, 2.5}, bad_y[] = {1, NAN, 2}, far_y[] = {1, 2, 1e151};
    double row[2];
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, 3, 2, x, y, &data));
    assert_int_equal(ny_data_rows(data), 3);
    assert_int_equal(ny_data_inputs(data), 2);
    assert_true(data->has_target && data->numeric_target && data->y[2] == 2.5);
    assert_non_null(ny_data_row(data, 1, row));
    assert_true(row[0] == 3 && row[1] == 4);
    ny_data_free(data);
    must(ctx, ny_data_from_rows(ctx, 3, 2, x, NULL, &data));
    assert_false(data->has_target);
    assert_null(ny_data_row(data, 2, row));
    assert_true(row[0] == 5 && row[1] == 6);
    ny_data_free(data);

    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e151};
    for (int k = 0; k < 4; k++) {
        double values[] = {1, 2, 3, odd[k]};
        assert_int_equal(ny_data_from_rows(ctx, 2, 2, values, NULL, &data), NY_ERR_DATA);
        assert_null(data);
        assert_non_null(strstr(ny_message(ctx), "row 2, column 2"));
    }
    assert_int_equal(ny_data_from_rows(ctx, 3, 2, x, bad_y, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "row 2"));
    assert_int_equal(ny_data_from_rows(ctx, 3, 2, x, far_y, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "row 3"));
    const int64_t sizes[][2] = {{0, 2}, {3, 0}, {-1, 2}, {3, -1}, {0, 0}, {3, INT64_MAX}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        assert_int_equal(ny_data_from_rows(ctx, sizes[k][0], sizes[k][1], x, y, &data), NY_ERR_DATA);
    assert_int_equal(ny_data_from_rows(ctx, INT64_MAX / 4, 1000, x, y, &data), NY_ERR_MEMORY); /* overflows */
    assert_int_equal(ny_data_from_rows(ctx, INT64_C(1) << 50, 1, x, y, &data), NY_ERR_MEMORY); /* 8 PB */
    assert_null(data);
    ny_data_free(NULL);
}

static void data_from_labels(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4};
    ny_data *data = NULL;
    must(ctx, ny_data_from_labels(ctx, 4, 1, x, (const char *const[]){"pear", "apple", "pear", "caf\xe9"}, &data));
    assert_int_equal(data->labels, 3);
    assert_false(data->numeric_target);
    assert_string_equal(data->label[0], "apple");
    double value;
    assert_string_equal(ny_data_row(data, 2, &value), "pear");
    ny_data_free(data);
    must(ctx, ny_data_from_labels(ctx, 4, 1, x, (const char *const[]){"10", "9", "-1", "9"}, &data));
    assert_true(data->numeric_target);
    assert_string_equal(data->label[0], "-1"); /* by value, not by letter */
    assert_string_equal(data->label[2], "10");
    ny_data_free(data);
    assert_int_equal(ny_data_from_labels(ctx, 4, 1, x, (const char *const[]){"a", "", "b", "a"}, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "row 2"));
    assert_int_equal(ny_data_from_labels(ctx, 4, 1, x, (const char *const[]){"a", "b", NULL, "a"}, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "row 3"));

    enum { MANY = NY_LABELS_MAX + 1 };
    static double many_x[MANY];
    static char text[MANY][16];
    static const char *many[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "class%d", i);
        many[i] = text[i];
        many_x[i] = i;
    }
    must(ctx, ny_data_from_labels(ctx, NY_LABELS_MAX, 1, many_x, many, &data));
    assert_int_equal(data->labels, NY_LABELS_MAX);
    ny_data_free(data);
    assert_int_equal(ny_data_from_labels(ctx, MANY, 1, many_x, many, &data), NY_ERR_DATA);
    assert_null(data);
}

/* ---- wrong use of what is right ---------------------------------------------------------------------------------------- */

static ny_data *demo(const char *name, int64_t rows) {
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, name, rows, 1, &data));
    return data;
}

static void wrong_calls(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6};
    double value[100], proba[200];
    int64_t live = ny_alloc_live();
    ny_options *options = make_options(ctx, "search", "none", "threads", "1", NULL);
    ny_data *wave = demo("sinc", 50), *other = NULL, *nothing = NULL, *text = NULL;
    ny_model *model = NULL, *none = NULL;
    must(ctx, ny_train(ctx, wave, options, &model));
    assert_int_equal(ny_model_classes(model), 0);
    assert_int_equal(ny_model_outputs(model), 1);
    assert_null(ny_model_label(model, 0));
    assert_null(ny_model_label(model, -1));
    assert_int_equal(ny_predict(ctx, model, wave, options, value, proba, NULL), NY_ERR_USAGE);
    must(ctx, ny_predict(ctx, model, wave, NULL, value, NULL, NULL));
    must(ctx, ny_predict(ctx, model, wave, NULL, NULL, NULL, NULL));
    must(ctx, ny_data_from_rows(ctx, 1, 6, x, NULL, &other));
    assert_int_equal(ny_predict(ctx, model, other, NULL, value, NULL, NULL), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "6 inputs"));
    must(ctx, ny_data_from_rows(ctx, 6, 1, x, NULL, &nothing));
    assert_int_equal(ny_train(ctx, nothing, options, &none), NY_ERR_DATA);
    assert_int_equal(ny_test(ctx, model, nothing, NULL, NULL, NULL), NY_ERR_DATA);
    must(ctx, ny_data_from_labels(ctx, 3, 1, x, (const char *const[]){"a", "b", "a"}, &text));
    assert_int_equal(ny_test(ctx, model, text, NULL, NULL, NULL), NY_ERR_DATA);
    ny_data_free(other);
    ny_data_free(text);
    assert_int_equal(ny_data_generate(ctx, "nosuch", 10, 1, &other), NY_ERR_USAGE);
    assert_null(other);
    assert_int_equal(ny_data_generate(ctx, "banana", -1, 1, &other), NY_ERR_USAGE);
    assert_int_equal(ny_model_load(ctx, "no such file", &none), NY_ERR_FILE);
    assert_int_equal(ny_model_load(ctx, ".", &none), NY_ERR_FILE);
    assert_int_equal(ny_model_save(ctx, model, "no such folder/m"), NY_ERR_FILE);
    assert_int_equal(ny_data_read(ctx, "no such file", options, NULL, &text), NY_ERR_FILE);
    assert_true(!none && !text);
    ny_data_free(wave);
    ny_data_free(nothing);
    ny_model_free(model);
    ny_model_free(NULL);
    ny_text_free(NULL);
    ny_ctx_free(NULL);
    ny_options_free(options);
    assert_int_equal(ny_alloc_live(), live);
}

/* Two contexts, one seed: the same bits. Another seed: other landmarks. */
static void reproducible(void **state) {
    (void)state;
    enum { N = 300 };
    double score[3][N];
    for (int k = 0; k < 3; k++) {
        ny_ctx *own = ny_ctx_new();
        ny_options *options = make_options(own, "landmarks", "20", "seed", k < 2 ? "5" : "6", "threads", "1", NULL);
        ny_data *data = NULL;
        ny_model *model = NULL;
        must(own, ny_data_generate(own, "banana", N, 3, &data));
        must(own, ny_train(own, data, options, &model));
        must(own, ny_predict(own, model, data, options, NULL, NULL, score[k]));
        ny_model_free(model);
        ny_data_free(data);
        ny_options_free(options);
        ny_ctx_free(own);
    }
    assert_memory_equal(score[0], score[1], sizeof score[0]);
    assert_memory_not_equal(score[0], score[2], sizeof score[0]);
}

/* ---- stopping ---------------------------------------------------------------------------------------------------------- */

static ny_options *long_search(void) {
    return make_options(ctx, "search", "grid", "kernel", "rbf", "landmarks", "all", "bandwidth", "-8:8:0.002", "C", "-5:15:0.1", "threads",
                        "1", NULL);
}

static void check_usable(const ny_model *model, const ny_data *data) {
    double value[300], proba[600];
    char *json = NULL, *text = NULL;
    assert_non_null(model);
    assert_true(model->record.stopped && model->record.notes > 0);
    must(ctx, ny_predict(ctx, model, data, NULL, value, proba, NULL));
    int64_t right = 0, n = ny_data_rows(data);
    for (int64_t i = 0; i < n; i++) {
        assert_close(proba[2 * i] + proba[2 * i + 1], 1, 1e-12);
        right += (int32_t)value[i] == data->code[i];
    }
    assert_true(right > n * 3 / 4);
    must(ctx, ny_model_json(ctx, model, &json));
    must(ctx, ny_model_summary(ctx, model, &text));
    assert_non_null(strstr(text, "stopped early"));
    ny_text_free(json);
    ny_text_free(text);
    must(ctx, ny_model_save(ctx, model, "api_stopped.nysel"));
    assert_int_equal(remove("api_stopped.nysel"), 0);
}

static void cancelled_before(void **state) {
    (void)state;
    ny_options *options = long_search();
    ny_data *data = demo("banana", 150);
    ny_model *model = NULL;
    ny_cancel(ctx);
    assert_int_equal(ny_train(ctx, data, options, &model), NY_STOPPED);
    check_usable(model, data);
    ny_model_free(model);
    model = NULL;
    must(ctx, ny_options_set(ctx, options, "search", "none"));
    must(ctx, ny_train(ctx, data, options, &model)); /* one cancellation ends one training */
    assert_false(model->record.stopped);
    ny_model_free(model);
    ny_data_free(data);
    ny_options_free(options);
}

typedef struct seen {
    int calls, selecting;
    bool wrong;
} seen;

static void cancel_soon(void *user, const char *stage, double done, double total, double left) {
    seen *s = user;
    s->calls++;
    s->wrong |= !(done >= 0 && done <= total) || isnan(left);
    if (strcmp(stage, "select") == 0 && ++s->selecting == 2) ny_cancel(ctx);
}

static void cancelled_during(void **state) {
    (void)state;
    ny_options *options = long_search();
    ny_data *data = demo("banana", 150);
    ny_model *model = NULL;
    seen s = {0};
    ny_on_progress(ctx, cancel_soon, &s);
    assert_int_equal(ny_train(ctx, data, options, &model), NY_STOPPED);
    ny_on_progress(ctx, NULL, NULL);
    assert_true(s.selecting >= 2 && s.selecting < 100 && !s.wrong);
    assert_true(model->record.evaluations > 0);
    check_usable(model, data);
    ny_model_free(model);
    ny_data_free(data);
    ny_options_free(options);
}

static void time_limit(void **state) {
    (void)state;
    ny_options *options = long_search();
    ny_data *data = demo("banana", 150);
    const char *const limits[] = {"0.2", "0.000001"};
    for (int k = 0; k < 2; k++) {
        ny_model *model = NULL;
        must(ctx, ny_options_set(ctx, options, "time-limit", limits[k]));
        double start = ny_now();
        assert_int_equal(ny_train(ctx, data, options, &model), NY_STOPPED);
        assert_true(ny_now() - start < 20); /* the whole search takes minutes; a busy machine takes its time */
        check_usable(model, data);
        ny_model_free(model);
    }
    ny_options_free(options);
    options = make_options(ctx, "time-limit", "1h", "search", "none", "threads", "1", NULL);
    ny_model *model = NULL;
    must(ctx, ny_train(ctx, data, options, &model)); /* a limit that is not reached changes nothing */
    assert_false(model->record.stopped);
    ny_model_free(model);
    ny_data_free(data);
    ny_options_free(options);
}

static int warnings;
static void count_warnings(void *user, ny_level level, const char *message) {
    assert_ptr_equal(user, &warnings);
    warnings += level == NY_LOG_WARNING && message[0];
}

static void status_and_messages(void **state) {
    (void)state;
    static const char *const texts[] = {
#define X(code, text) text,
        NY_STATUS_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_string_equal(ny_status_text((ny_status)i), texts[i]);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(texts[k], texts[i]);
    }
    assert_string_equal(ny_status_text((ny_status)999), "unknown status");
    assert_string_equal(ny_status_text((ny_status)-1), "unknown status");
    assert_string_equal(ny_version(), NYSEL_VERSION);
    assert_int_equal(NY_OK, 0);

    static char longest[3 * NY_MESSAGE_MAX];
    memset(longest, 'm', sizeof longest - 1);
    assert_int_equal(ny_error(ctx, NY_ERR_DATA, "%s", longest), NY_ERR_DATA);
    assert_int_equal(strlen(ny_message(ctx)), NY_MESSAGE_MAX - 1);
    assert_int_equal(ny_error_prefix(ctx, NY_ERR_DATA, "%s:", longest), NY_ERR_DATA);
    assert_int_equal(strlen(ny_message(ctx)), NY_MESSAGE_MAX - 1);
    ny_error(ctx, NY_ERR_DATA, "%d apples", 3);
    ny_error_prefix(ctx, NY_ERR_DATA, "%s: ", "basket");
    assert_string_equal(ny_message(ctx), "basket: 3 apples");
    assert_int_equal(ny_error(NULL, NY_ERR_FILE, "no context"), NY_ERR_FILE);

    char *path = write_file(".csv", "a,b,y\n1,2,p\n,1,q\n3,1,p\n4,2,q\n", -1);
    ny_options *options = make_options(ctx, "missing", "drop", NULL);
    ny_data *data = NULL;
    ny_on_log(ctx, count_warnings, &warnings);
    must(ctx, ny_data_read(ctx, path, options, NULL, &data));
    ny_on_log(ctx, NULL, NULL);
    assert_int_equal(warnings, 1);
    assert_int_equal(data->dropped, 1);
    ny_data_free(data);
    ny_options_free(options);
    remove(path);
    free(path);
}

/* ---- random numbers ------------------------------------------------------------------------------------------------------ */

enum { DRAWS = 200000, BINS = 64 };

static void uniformity(void **state) {
    (void)state;
    ny_rng rng = ny_rng_make(1, NY_RNG_TEST, 0);
    int64_t count[BINS] = {0};
    double sum = 0, squares = 0, next = 0, last = 0, normal[4] = {0}, chi = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = ny_rng_uniform(&rng);
        assert_true(u >= 0 && u < 1);
        count[(int)(u * BINS)]++;
        sum += u - 0.5;
        squares += (u - 0.5) * (u - 0.5);
        next += (u - 0.5) * last;
        last = u - 0.5;
    }
    for (int k = 0; k < BINS; k++) chi += pow((double)count[k] - DRAWS / BINS, 2) / (DRAWS / BINS);
    assert_true(chi > 25 && chi < 120); /* 63 degrees of freedom: beyond these once in a hundred thousand */
    assert_true(fabs(sum / DRAWS) < 5 * sqrt(1.0 / 12 / DRAWS));
    assert_true(fabs(squares / DRAWS - 1.0 / 12) < 5 * sqrt(1.0 / 180 / DRAWS));
    assert_true(fabs(next / DRAWS) < 5.0 / 12 / sqrt(DRAWS)); /* a number says nothing of the next */
    for (int i = 0; i < DRAWS; i++) {
        double z = ny_rng_normal(&rng), power = 1;
        assert_true(isfinite(z));
        for (int k = 0; k < 4; k++) normal[k] += (power *= z) / DRAWS;
    }
    assert_true(fabs(normal[0]) < 5 / sqrt(DRAWS) && fabs(normal[1] - 1) < 5 * sqrt(2.0 / DRAWS));
    assert_true(fabs(normal[2]) < 5 * sqrt(15.0 / DRAWS) && fabs(normal[3] - 3) < 5 * sqrt(96.0 / DRAWS));
}

/* Streams that differ in seed, purpose or index, each by one, are uncorrelated and share no value at the same place. */
static void streams(void **state) {
    (void)state;
    enum { STREAMS = 6, LENGTH = 20000 };
    static double u[STREAMS][LENGTH];
    ny_rng rng[STREAMS] = {ny_rng_make(1, NY_RNG_TEST, 0),   ny_rng_make(2, NY_RNG_TEST, 0),
                           ny_rng_make(1, NY_RNG_DATA, 0),   ny_rng_make(1, NY_RNG_TEST, 1),
                           ny_rng_make(1, NY_RNG_TEST, UINT32_MAX), ny_rng_make(UINT64_C(1) << 32 | 1, NY_RNG_TEST, 0)};
    for (int s = 0; s < STREAMS; s++)
        for (int i = 0; i < LENGTH; i++) u[s][i] = ny_rng_uniform(&rng[s]);
    for (int s = 0; s < STREAMS; s++)
        for (int t = 0; t < s; t++) {
            double sum = 0;
            int same = 0;
            for (int i = 0; i < LENGTH; i++) {
                sum += (u[s][i] - 0.5) * (u[t][i] - 0.5);
                same += u[s][i] == u[t][i];
            }
            assert_true(fabs(sum / LENGTH) < 5.0 / 12 / sqrt(LENGTH));
            assert_int_equal(same, 0);
        }
    ny_rng again = ny_rng_make(1, NY_RNG_TEST, 0); /* the same key, the same numbers */
    for (int i = 0; i < LENGTH; i++) assert_true(ny_rng_uniform(&again) == u[0][i]);
}

static void below(void **state) {
    (void)state;
    static const int64_t limits[] = {1, 2, 3, 7, 1000, INT32_MAX, (INT64_C(1) << 62) + 1, INT64_MAX};
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 0);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        double mean = 0;
        for (int i = 0; i < 20000; i++) {
            int64_t v = ny_rng_below(&rng, limits[k]);
            assert_true(v >= 0 && v < limits[k]);
            mean += (double)v / (double)limits[k] / 20000;
        }
        double expected = (1 - 1 / (double)limits[k]) / 2;
        assert_true(fabs(mean - expected) < 5 * sqrt(1.0 / 12 / 20000));
    }
    int64_t count[7] = {0};
    double chi = 0;
    for (int i = 0; i < 70000; i++) count[ny_rng_below(&rng, 7)]++;
    for (int k = 0; k < 7; k++) chi += pow((double)count[k] - 10000, 2) / 10000;
    assert_true(chi < 35);

    int64_t v[100], first[5] = {0}; /* every element is as likely to come first as any other */
    for (int i = 0; i < 100; i++) v[i] = i;
    ny_rng_shuffle(&rng, v, 100);
    bool there[100] = {false}, moved = false;
    for (int i = 0; i < 100; i++) there[v[i]] = true, moved |= v[i] != i;
    for (int i = 0; i < 100; i++) assert_true(there[i]);
    assert_true(moved);
    for (int i = 0; i < 50000; i++) {
        int64_t five[] = {0, 1, 2, 3, 4};
        ny_rng_shuffle(&rng, five, 5);
        first[five[0]]++;
    }
    for (int k = 0; k < 5; k++) assert_true(llabs(first[k] - 10000) < 500);
    ny_rng_shuffle(&rng, v, 0);
    ny_rng_shuffle(&rng, v, 1);
}

/* ---- the allocator ------------------------------------------------------------------------------------------------------- */

static void allocator(void **state) {
    (void)state;
    int64_t live = ny_alloc_live();
    assert_int_equal(ny_size3(3, 4, 5), 60);
    assert_int_equal(ny_size3(0, INT64_MAX, INT64_MAX), 0);
    assert_int_equal(ny_size3(INT64_MAX, 1, 1), INT64_MAX);
    assert_int_equal(ny_size3(INT64_MAX, 2, 1), -1);
    assert_int_equal(ny_size3(INT64_C(1) << 31, INT64_C(1) << 31, 4), -1);
    assert_int_equal(ny_size3(-1, 2, 1), -1);
    assert_int_equal(ny_size3(1, -2, -3), -1);

    const int64_t counts[] = {INT64_MAX, INT64_MAX / 8 + 1, INT64_MAX / 8, -1, INT64_MIN, INT64_C(1) << 50};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        ny_error(ctx, NY_OK, "nothing");
        assert_null(ny_alloc(ctx, counts[k], 8));
        assert_non_null(strstr(ny_message(ctx), "out of memory"));
        assert_null(ny_alloc_raw(NULL, counts[k], 8)); /* without a context, too */
    }
    assert_null(ny_alloc_raw(ctx, INT64_MAX, 1));
    for (int64_t size = 0; size < 5000; size += 123) {
        unsigned char *p = ny_alloc(ctx, size, 1);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        for (int64_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
        memset(p, 0xab, (size_t)size);
        unsigned char *q = ny_realloc(ctx, p, size, 2 * size + 1, 1);
        assert_non_null(q);
        for (int64_t i = 0; i < size; i++) assert_int_equal(q[i], 0xab);
        ny_free(q);
    }
    int64_t *large = ny_alloc(ctx, 3 << 20, 8); /* 24 MB: whole huge pages */
    assert_non_null(large);
    assert_int_equal((uintptr_t)large % 64, 0);
    assert_true(large[0] == 0 && large[(3 << 20) - 1] == 0);
    large[(3 << 20) - 1] = 7;
    assert_null(ny_realloc(ctx, large, 3 << 20, INT64_MAX / 8, 8)); /* stays valid */
    assert_int_equal(large[(3 << 20) - 1], 7);
    ny_free(large);
    char *text = ny_strndup(ctx, "abcdef", 3), *made = ny_format(ctx, "%s-%d", "x", 42), *empty = ny_strdup(ctx, "");
    assert_string_equal(text, "abc");
    assert_string_equal(made, "x-42");
    assert_string_equal(empty, "");
    ny_free(text);
    ny_free(made);
    ny_free(empty);
    ny_free(NULL);
    ny_alloc_fail_at(2);
    void *first = ny_alloc(ctx, 1, 1), *second = ny_alloc(ctx, 1, 1), *third = ny_alloc(ctx, 1, 1);
    assert_true(first && !second && third);
    ny_free(first);
    ny_free(third);
    assert_int_equal(ny_alloc_live(), live);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option),     cmocka_unit_test(option_values),    cmocka_unit_test(every_family),
        cmocka_unit_test(data_from_rows),   cmocka_unit_test(data_from_labels), cmocka_unit_test(wrong_calls),
        cmocka_unit_test(reproducible),     cmocka_unit_test(cancelled_before), cmocka_unit_test(cancelled_during),
        cmocka_unit_test(time_limit),       cmocka_unit_test(status_and_messages), cmocka_unit_test(uniformity),
        cmocka_unit_test(streams),          cmocka_unit_test(below),            cmocka_unit_test(allocator),
    };
    return cmocka_run_group_tests_name("public interface", tests, setup, teardown);
}
