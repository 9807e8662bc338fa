/* test_model_hostile.c: model files made to deceive, with all checksums right: each is refused with its reason. */
#include "unit/test_model_samples.h"

#include <unistd.h>
#include <zip.h>

static ny_ctx *ctx;
static char path[64];
static char *original[SAMPLES];
static int64_t original_size[SAMPLES];

static int setup(void **state) {
    (void)state;
    snprintf(path, sizeof path, "ny_test_hostile_%d.nysel", (int)getpid());
    if (!(ctx = ny_ctx_new())) return -1;
    for (int kind = 0; kind < SAMPLES; kind++) {
        ny_model *model = sample_model(ctx, (sample_kind)kind);
        assert_int_equal(ny_model_save(ctx, model, path), NY_OK);
        original[kind] = read_whole(path, &original_size[kind]);
        ny_model_free(model);
    }
    return 0;
}

static int teardown(void **state) {
    (void)state;
    for (int kind = 0; kind < SAMPLES; kind++) free(original[kind]);
    unlink(path);
    ny_ctx_free(ctx);
    return 0;
}

/* ---- editing archives ------------------------------------------------------------------------------------------ */

static zip_t *open_original(sample_kind kind) {
    zip_source_t *source = zip_source_buffer_create(original[kind], (zip_uint64_t)original_size[kind], 0, NULL);
    zip_t *archive = zip_open_from_source(source, ZIP_RDONLY, NULL);
    assert_non_null(archive);
    return archive;
}

static char *read_entry(zip_t *archive, zip_uint64_t index, int64_t *size) {
    zip_stat_t stat;
    assert_int_equal(zip_stat_index(archive, index, 0, &stat), 0);
    char *bytes = calloc(1, (size_t)stat.size + 1);
    zip_file_t *file = zip_fopen_index(archive, index, 0);
    assert_int_equal(zip_fread(file, bytes, stat.size), stat.size);
    zip_fclose(file);
    *size = (int64_t)stat.size;
    return bytes;
}

static char *entry_of(sample_kind kind, const char *name, int64_t *size) {
    zip_t *archive = open_original(kind);
    char *bytes = read_entry(archive, (zip_uint64_t)zip_name_locate(archive, name, 0), size);
    zip_discard(archive);
    return bytes;
}

static void add_entry(zip_t *archive, const char *name, const char *bytes, int64_t size, int method) {
    char *copy = size > 0 ? malloc((size_t)size) : NULL; /* libzip frees it when the archive is written */
    if (copy) memcpy(copy, bytes, (size_t)size);
    zip_source_t *entry = zip_source_buffer(archive, copy, (zip_uint64_t)size, 1);
    zip_int64_t index = zip_file_add(archive, name, entry, 0);
    assert_true(index >= 0);
    assert_int_equal(zip_set_file_compression(archive, (zip_uint64_t)index, method, 0), 0);
}

/* The sample's archive with one entry replaced (or left out: bytes = NULL). */
static char *edit(sample_kind kind, const char *name, const char *bytes, int64_t size, int method,
                  int64_t *edited_size) {
    zip_t *from = open_original(kind);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, NULL);
    zip_t *to = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(to);
    zip_source_keep(source);
    for (zip_int64_t i = 0; i < zip_get_num_entries(from, 0); i++) {
        const char *entry_name = zip_get_name(from, (zip_uint64_t)i, 0);
        bool other = strcmp(entry_name, name) != 0;
        int64_t length;
        char *entry = read_entry(from, (zip_uint64_t)i, &length);
        if (other) add_entry(to, entry_name, entry, length, ZIP_CM_STORE);
        else if (bytes) add_entry(to, name, bytes, size, method);
        free(entry);
    }
    zip_discard(from);
    assert_int_equal(zip_close(to), 0);
    zip_stat_t stat;
    assert_int_equal(zip_source_stat(source, &stat), 0);
    char *edited = malloc((size_t)stat.size + 1);
    assert_int_equal(zip_source_open(source), 0);
    assert_int_equal(zip_source_read(source, edited, stat.size), stat.size);
    zip_source_close(source);
    zip_source_free(source);
    *edited_size = (int64_t)stat.size;
    return edited;
}

static ny_status load_edited(sample_kind kind, const char *name, const char *bytes, int64_t size, int method) {
    int64_t length, live = ny_alloc_live();
    char *edited = edit(kind, name, bytes, size, method, &length);
    ny_model *model = NULL;
    ny_status st = ny_model_load_memory(ctx, edited, length, "evil.nysel", &model);
    char *json = NULL, *text = NULL;
    if (st == NY_OK) st = ny_model_json(ctx, model, &json); /* what loads can be described */
    if (st == NY_OK) st = ny_model_summary(ctx, model, &text);
    ny_text_free(json);
    ny_text_free(text);
    ny_model_free(model);
    assert_int_equal(ny_alloc_live(), live);
    free(edited);
    return st;
}

static void expect_refusal(ny_status st, const char *what, const char *reason) {
    if (st != NY_ERR_MODEL) fail_msg("%s: status %d: %s", what, (int)st, st == NY_OK ? "" : ny_message(ctx));
    if (strncmp(ny_message(ctx), "evil.nysel: ", 12) != 0) fail_msg("%s: no file name in: %s", what, ny_message(ctx));
    if (!strstr(ny_message(ctx), reason)) fail_msg("%s: '%s' is not in: %s", what, reason, ny_message(ctx));
}

/* Replaces the first `from` in meta.json by `to`. */
static ny_status load_meta(sample_kind kind, const char *from, const char *to) {
    int64_t size;
    char *meta = entry_of(kind, NY_ENTRY_META, &size);
    char *at = strstr(meta, from);
    if (!at) fail_msg("meta.json has no %s", from);
    size_t length = (size_t)size + strlen(to) - strlen(from);
    char *edited = malloc(length + 1);
    size_t before = (size_t)(at - meta);
    memcpy(edited, meta, before);
    memcpy(edited + before, to, strlen(to));
    memcpy(edited + before + strlen(to), at + strlen(from), (size_t)size - before - strlen(from));
    ny_status st = load_edited(kind, NY_ENTRY_META, edited, (int64_t)length, ZIP_CM_STORE);
    free(edited);
    free(meta);
    return st;
}

/* Overwrites bytes of an array's numbers. */
static ny_status load_array(sample_kind kind, const char *name, int64_t at, const void *value, int64_t length) {
    int64_t size;
    char *entry = entry_of(kind, name, &size);
    assert_true(at + length <= size);
    memcpy(entry + at, value, (size_t)length);
    ny_status st = load_edited(kind, name, entry, size, ZIP_CM_STORE);
    free(entry);
    return st;
}

/* ---- the tests -------------------------------------------------------------------------------------------------- */

static void editing_alone_does_no_harm(void **state) {
    (void)state;
    for (int kind = 0; kind < SAMPLES; kind++) {
        ny_status st = load_meta((sample_kind)kind, "\"format_version\": ", "\"format_version\":  ");
        if (st != NY_OK) fail_msg("sample %d: %s", kind, ny_message(ctx));
    }
    /* An option that this version does not know belongs to an older or a newer one: no harm. */
    assert_int_equal(load_meta(SAMPLE_SPARSE, "\"options\": {", "\"options\": {\"old-option\": \"x\","), NY_OK);
    /* So does a member of a family: what the model needs of it is in the other fields. */
    for (int kind = 0; kind < SAMPLES; kind++) {
        assert_int_equal(load_meta((sample_kind)kind, "\"machine\": \"", "\"machine\": \"hyper-"), NY_OK);
        assert_int_equal(load_meta((sample_kind)kind, "\"criterion\": \"", "\"criterion\": \"hyper-"), NY_OK);
    }
    /* Models had no decoding at first. */
    assert_int_equal(load_meta(SAMPLE_SPARSE, "\"decoding\": \"loss\",", ""), NY_OK);
    /* Models of older versions have none of these. */
    assert_int_equal(load_meta(SAMPLE_REGRESSION, "\"kernel_kept\"", "\"kernel_lost\""), NY_OK);
    assert_int_equal(load_meta(SAMPLE_CATEGORIES, "\"bound\": {", "\"bounds\": {"), NY_OK);
    assert_int_equal(load_meta(SAMPLE_SPARSE, "\"solver\": {", "\"solvers\": {"), NY_OK);
    assert_int_equal(load_meta(SAMPLE_CATEGORIES, "\"bound_paper\"", "\"bound_other\""), NY_OK);
}

static void wrong_meta_is_refused(void **state) {
    (void)state;
    static const struct {
        sample_kind kind;
        const char *from, *to, *reason;
    } cases[] = {
        {SAMPLE_SPARSE, "nysel-model", "other-model", "format"},
        {SAMPLE_SPARSE, "\"kernel_kept\": null", "\"kernel_kept\": \"all\"", "kernel_kept"},
        {SAMPLE_CATEGORIES, "\"bound\": {", "\"bound\": 7, \"bounds\": {", "bound"},
        {SAMPLE_CATEGORIES, "\"bound\": {", "\"bound\": null, \"bounds\": {", "bound"},
        {SAMPLE_CATEGORIES, "\"bound_paper\": 52000000.0", "\"bound_paper\": [1]", "bound_paper"},
        {SAMPLE_CATEGORIES, "\"deviation_rows\": 343", "\"deviation_rows\": -343", "deviation_rows"},
        {SAMPLE_CATEGORIES, "\"deviation_rows\": 343", "\"deviation_rows\": 3.5", "deviation_rows"},
        {SAMPLE_SPARSE, "\"solver\": {", "\"solver\": 7, \"solvers\": {", "solver"},
        {SAMPLE_SPARSE, "\"iterations\": 45", "\"iterations\": -45", "iterations"},
        {SAMPLE_SPARSE, "\"format_version\": 1", "\"format_version\": 4", "made by a newer nysel"},
        {SAMPLE_SPARSE, "\"format_version\": 1", "\"format_version\": 0", "format_version"},
        {SAMPLE_SPARSE, "\"format_version\": 1", "\"format_version\": \"1\"", "format_version"},
        {SAMPLE_SPARSE, "\"format_version\": 1", "\"format_version\": 99999999999999999999", "integer"},
        {SAMPLE_SPARSE, "{", "[", "meta.json:"},
        {SAMPLE_SPARSE, "\"multiclass\": \"ovo\"", "\"multiclass\": \"all\"", "multiclass method 'all' is unknown"},
        {SAMPLE_SPARSE, "\"multiclass\": \"ovo\"", "\"multiclass\": null", "multiclass"},
        {SAMPLE_SPARSE, "\"multiclass\": \"ovo\"", "\"multiclass\": \"ova\"", "outputs"},
        {SAMPLE_SPARSE, "\"decoding\": \"loss\"", "\"decoding\": \"votes\"", "decoding 'votes' is unknown"},
        {SAMPLE_SPARSE, "\"decoding\": \"loss\"", "\"decoding\": \"\"", "decoding '' is unknown"},
        {SAMPLE_SPARSE, "\"decoding\": \"loss\"", "\"decoding\": null", "decoding"},
        {SAMPLE_SPARSE, "\"decoding\": \"loss\"", "\"decoding\": 2", "decoding"},
        {SAMPLE_SPARSE, "\"outputs\": 6", "\"outputs\": -6", "outputs"},
        {SAMPLE_SPARSE, "\"outputs\": 6", "\"outputs\": 6.0", "outputs"},
        {SAMPLE_SPARSE, "\"task\": \"multiclass\"", "\"task\": \"binary\"", "do not suit"},
        {SAMPLE_SPARSE, "\"task\": \"multiclass\"", "\"task\": \"none\"", "task 'none' is unknown"},
        {SAMPLE_SPARSE, "\"task\": \"multiclass\"", "\"task\": \"regression\"", "class labels"},
        {SAMPLE_SPARSE, "\"task\": \"multiclass\"", "\"task\": 7", "unknown"},
        {SAMPLE_SPARSE, "\"-1\"", "\"\\u7d2b\"", "twice"},
        {SAMPLE_SPARSE, "\"-1\"", "\"\\u0000\"", "meta.json:"},
        {SAMPLE_SPARSE, "\"-1\"", "17", "labels"},
        {SAMPLE_SPARSE, "\"-1\"", "{\"bytes\": \"\\u7d2b\"}", "labels"},
        {SAMPLE_SPARSE, "\"labels\"", "\"names\"", "labels"},
        {SAMPLE_SPARSE, "\"name\": \"linear\"", "\"name\": \"sigmoid\"", "kernel 'sigmoid' is unknown"},
        {SAMPLE_SPARSE, "\"name\": \"linear\"", "\"name\": null", "kernel"},
        {SAMPLE_SPARSE, "\"name\": \"linear\"", "\"name\": \"rbf\"", "bandwidth"},
        {SAMPLE_SPARSE, "\"bandwidth\": \"nan\"", "\"bandwidth\": \"nine\"", "bandwidth"},
        {SAMPLE_SPARSE, "\"degree\": 3", "\"degree\": 1000000000", "degree"},
        {SAMPLE_SPARSE, "\"degree\": 3", "\"degree\": 3, \"degree\": 4", "meta.json:"},
        {SAMPLE_SPARSE, "\"count\": 4", "\"count\": 5", "rows where"},
        {SAMPLE_SPARSE, "\"count\": 4", "\"count\": 0", "landmarks"},
        {SAMPLE_SPARSE, "\"count\": 4", "\"count\": 9223372036854775807", "landmarks"},
        {SAMPLE_SPARSE, "\"count\": 4", "\"count\": -1", "count"},
        {SAMPLE_SPARSE, "\"sparse\": true", "\"sparse\": false", "landmarks.npy: the archive has no such entry"},
        {SAMPLE_SPARSE, "\"sparse\": true", "\"sparse\": 1", "sparse"},
        {SAMPLE_SPARSE, "\"inputs\": 30", "\"inputs\": 29", "scale_shift.npy"},
        {SAMPLE_SPARSE, "\"inputs\": 30", "\"inputs\": 4611686018427387904", "inputs"},
        {SAMPLE_SPARSE, "\"columns\": []", "\"columns\": [{\"name\": \"a\", \"mean\": 0}]", "columns"},
        {SAMPLE_SPARSE, "\"columns\": []", "\"columns\": {}", "columns"},
        {SAMPLE_SPARSE, "\"hinge\": \"smooth\"", "\"hinge\": \"soft\"", "--hinge soft"},
        {SAMPLE_SPARSE, "\"C\": \"-3:7:0.5\"", "\"C\": \"much\"", "--C"},
        {SAMPLE_SPARSE, "\"C\": \"-3:7:0.5\"", "\"C\": 5", "C"},
        {SAMPLE_SPARSE, "\"threads\": 2", "\"threads\": 4294967298", "threads"},
        {SAMPLE_SPARSE, "\"rank\": 998", "\"rank\": true", "rank"},
        {SAMPLE_SPARSE, "\"exact\": false", "\"exact\": 0", "exact"},
        {SAMPLE_SPARSE, "\"notes\": [", "\"notes\": [null,", "notes"},
        {SAMPLE_SPARSE, "\"evaluations\": [", "\"evaluations\": [7,", "kernel"},
        {SAMPLE_SPARSE, "\"evaluations\": [", "\"evaluation\": [", "evaluations"},
        {SAMPLE_CATEGORIES, "\"blue, light\"", "\"\"", "levels of column 'column 1'"},
        {SAMPLE_CATEGORIES, "\"blue, light\"", "\"zebra\"", "levels of column 'column 1'"},
        {SAMPLE_CATEGORIES, "\"blue, light\",", "", "the columns make 5 inputs, not 6"},
        {SAMPLE_CATEGORIES, "\"name\": \"column 1\"", "\"nom\": \"column 1\"", "name"},
        {SAMPLE_CATEGORIES, "\"mean\": -1", "\"mean\": \"inf\", \"x\": -1", "mean"},
        {SAMPLE_CATEGORIES, "\"task\": \"binary\"", "\"task\": \"regression\"", "class labels"},
        {SAMPLE_CATEGORIES, "\"coef0\": 0.", "\"coef0\": \"inf\", \"x\": 0.", "coef0"},
        {SAMPLE_CATEGORIES, "\"all_columns\": 7", "\"all_columns\": 5", "do not fit"},
        {SAMPLE_CATEGORIES, "\"all_columns\": 7", "\"all_columns\": -7", "all_columns"},
        {SAMPLE_CATEGORIES, "\"all_inputs\": 11", "\"all_inputs\": 9", "do not fit"},
        {SAMPLE_CATEGORIES, "\"all_inputs\": 11", "\"all_inputs\": 99999999999", "all_inputs"},
        {SAMPLE_CATEGORIES, "\"all_inputs\": 11,", "", "all_inputs"},
        {SAMPLE_CATEGORIES, "\"all_columns\": 7", "\"left_out\": [7], \"all_columns\": 7", "name"},
        {SAMPLE_CATEGORIES, "\"all_columns\": 7", "\"na\": 3, \"all_columns\": 7", "na"},
        {SAMPLE_CATEGORIES, "\"all_columns\": 7", "\"target_form\": \"x\", \"all_columns\": 7", "no form of numbers"},
        {SAMPLE_CATEGORIES, "\"mean\": -1", "\"form\": \"roman\", \"mean\": -1", "no form of numbers"},
        {SAMPLE_CATEGORIES, "\"position\": 5", "\"position\": 2", "column 'column 2' was not where"},
        {SAMPLE_CATEGORIES, "\"input\": 9", "\"input\": 6", "column 'column 2' was not where"},
        {SAMPLE_CATEGORIES, "\"input\": 9", "\"input\": 1099511627776", "input"},
        {SAMPLE_CATEGORIES, "\"input\": 9", "\"in\": 9", "input"},
        {SAMPLE_CATEGORIES, "\"relevance\": [", "\"relevance\": 1, \"r\": [", "relevance"},
        {SAMPLE_CATEGORIES, "\"relevance\": [", "\"relevance\": [7,", "name"},
        {SAMPLE_CATEGORIES, "\"kept\": true", "\"kept\": 1", "kept"},
        {SAMPLE_SPARSE, "\"columns\": []", "\"all_columns\": 3, \"all_inputs\": 31, \"columns\": []", "do not fit"},
        {SAMPLE_REGRESSION, "\"task\": \"regression\"", "\"task\": \"binary\"", "0 class labels"},
        {SAMPLE_REGRESSION, "\"outputs\": 1", "\"outputs\": 2", "outputs"},
        {SAMPLE_QUANTILES, "\"outputs\": 3", "\"outputs\": 2", "outputs"},
        {SAMPLE_QUANTILES, "\"quantiles\": [", "\"quantiles\": [0.1,", "outputs"},
        {SAMPLE_QUANTILES, "\"quantiles\": [", "\"quantiles\": [],\"old\": [", "quantiles"},
        {SAMPLE_QUANTILES, "\"quantiles\": [", "\"quantiles\": [0.4,0.4,0.5],\"old\": [", "quantiles"},
        {SAMPLE_QUANTILES, "\"quantiles\": [", "\"quantiles\": [0.0,0.4,0.5],\"old\": [", "quantiles"},
        {SAMPLE_QUANTILES, "\"quantiles\": [", "\"quantiles\": [0.1,0.4,1],\"old\": [", "quantiles"},
        {SAMPLE_QUANTILES, "\"quantiles\": [", "\"quantiles\": [0.1,\"a\",1],\"old\": [", "a list of numbers"},
        {SAMPLE_QUANTILES, "\"quantiles\": [", "\"quantiles\": 7,\"old\": [", "quantiles"},
        {SAMPLE_SPARSE, "\"outputs\": 6", "\"outputs\": 6, \"quantiles\": [0.5]", "quantiles"},
        {SAMPLE_SPARSE, "\"link\": true", "\"link\": 1", "link"},
        {SAMPLE_QUANTILES, "\"steps\": 23", "\"steps\": -23", "steps"},
        {SAMPLE_QUANTILES, "\"objective\": [", "\"objective\": [[1],", "objective"},
        {SAMPLE_QUANTILES, "\"crossed\": 0.012", "\"crossed\": []", "crossed"},
        {SAMPLE_MACHINES, "\"machines\": [", "\"machines\": 7, \"old\": [", "machines"},
        {SAMPLE_MACHINES, "\"machines\": [", "\"machines\": [], \"old\": [", "two or more"},
        {SAMPLE_MACHINES, "\"machines\": [", "\"machines\": [7,", "kernel"},
        {SAMPLE_MACHINES, "\"machines\"", "\"engines\"", "kernel"},
        {SAMPLE_MACHINES, "\"outputs\": 2", "\"outputs\": 3", "the machines have 4 outputs, and the model 3"},
        {SAMPLE_MACHINES, "\"outputs\": 2", "\"outputs\": 0", "without outputs"},
        {SAMPLE_MACHINES, "\"outputs\": 2", "\"outputs\": -2", "outputs"},
        {SAMPLE_MACHINES, "\"points\": 4", "\"points\": 3", "machine_points.npy"},
        {SAMPLE_MACHINES, "\"points\": 4", "\"points\": 0", "without points"},
        {SAMPLE_MACHINES, "\"points\": 4", "\"points\": 2147483647", "machine_points.npy"},
        {SAMPLE_MACHINES, "\"points\": 4", "\"points\": 9223372036854775807", "points"},
        {SAMPLE_MACHINES, "\"name\": \"matern32\"", "\"name\": \"sigmoid\"", "kernel 'sigmoid' is unknown"},
        {SAMPLE_MACHINES, "\"count\": 5", "\"count\": 6", "rows where"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refusal(load_meta(cases[i].kind, cases[i].from, cases[i].to), cases[i].to, cases[i].reason);
}

static void deep_or_broken_json_is_refused(void **state) {
    (void)state;
    enum { DEPTH = 1 << 20 };
    char *bomb = malloc(DEPTH);
    memset(bomb, '[', DEPTH);
    expect_refusal(load_edited(SAMPLE_SPARSE, NY_ENTRY_META, bomb, DEPTH, ZIP_CM_STORE), "depth bomb", "meta.json:");
    free(bomb);
    static const char *const broken[] = {
        "", "null", "[]", "{}", "\"", "{\"format\": \"nysel-model\xff\"}", "\xef\xbb\xbf{}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        expect_refusal(load_edited(SAMPLE_SPARSE, NY_ENTRY_META, broken[i], (int64_t)strlen(broken[i]), ZIP_CM_STORE),
                       broken[i], "meta.json");
}

/* More classes than the decoder has room for. */
static void too_many_classes_are_refused(void **state) {
    (void)state;
    char *labels = malloc(20000), *at = labels;
    for (int k = 0; k < 1000; k++) at += sprintf(at, "\"class %d\",", k);
    strcpy(at, "\"-1\"");
    expect_refusal(load_meta(SAMPLE_SPARSE, "\"-1\"", labels), "labels", "1004 classes"); /* 3 others follow */
    free(labels);
}

static void missing_entries_are_named(void **state) {
    (void)state;
    static const char *const entries[] = {NY_ENTRY_META, NY_ENTRY_SHIFT,      NY_ENTRY_FACTOR, NY_ENTRY_PTR,
                                          NY_ENTRY_IDX,  NY_ENTRY_VAL,        NY_ENTRY_BETA,   NY_ENTRY_BIAS,
                                          NY_ENTRY_C,    NY_ENTRY_CALIBRATION};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        expect_refusal(load_edited(SAMPLE_SPARSE, entries[i], NULL, 0, ZIP_CM_STORE), entries[i], entries[i]);
}

static void wrong_arrays_are_refused(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    static const char *const reals[] = {NY_ENTRY_SHIFT, NY_ENTRY_FACTOR, NY_ENTRY_VAL,        NY_ENTRY_BETA,
                                        NY_ENTRY_BIAS,  NY_ENTRY_C,      NY_ENTRY_CALIBRATION};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        for (int k = 0; k < 3; k++) {
            expect_refusal(load_array(SAMPLE_SPARSE, reals[i], 128, &bad[k], 8), reals[i], reals[i]);
            expect_refusal(load_array(SAMPLE_SPARSE, reals[i], 128, &bad[k], 8), reals[i], "not finite");
        }
    expect_refusal(load_array(SAMPLE_CATEGORIES, NY_ENTRY_LANDMARKS, 128 + 8 * 23, &bad[1], 8), "landmarks",
                   "not finite");
    static const int32_t beyond[] = {-1, 5, INT32_MAX,
                                     1}; /* there are 5 points, and 1 is in the first machine already */
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        expect_refusal(load_array(SAMPLE_MACHINES, NY_ENTRY_POINTS, 128, &beyond[i], 4), "points",
                       "machine_points.npy: point");
    for (int k = 0; k < 3; k++)
        expect_refusal(load_array(SAMPLE_MACHINES, NY_ENTRY_BETA, 128 + 8 * 11, &bad[k], 8), "beta", "not finite");
    expect_refusal(load_edited(SAMPLE_MACHINES, NY_ENTRY_POINTS, NULL, 0, ZIP_CM_STORE), "points", NY_ENTRY_POINTS);
    const double upside_down = 7;
    expect_refusal(load_array(SAMPLE_REGRESSION, NY_ENTRY_RANGE, 128 + 8, &upside_down, 8), "range",
                   "input 2 has its least value above its largest");
    expect_refusal(load_array(SAMPLE_REGRESSION, NY_ENTRY_RANGE, 128 + 8 * 5, &bad[0], 8), "range", "not finite");
    static const struct {
        const char *entry;
        int64_t at, value;
        int bytes;
        const char *reason;
    } sparse[] = {
        {NY_ENTRY_IDX, 0, -1, 4, "out of range"},         {NY_ENTRY_IDX, 8, 30, 4, "out of range"},
        {NY_ENTRY_IDX, 8, INT32_MIN, 4, "out of range"},  {NY_ENTRY_IDX, 4, 0, 4, "not ascending"},
        {NY_ENTRY_IDX, 4, 29, 4, "not ascending"},        {NY_ENTRY_PTR, 0, 1, 8, "does not span"},
        {NY_ENTRY_PTR, 32, 4, 8, "does not span"},        {NY_ENTRY_PTR, 32, 6, 8, "does not span"},
        {NY_ENTRY_PTR, 8, 4, 8, "not ascending"},         {NY_ENTRY_PTR, 8, -1, 8, "not ascending"},
        {NY_ENTRY_PTR, 8, INT64_MAX, 8, "not ascending"}, {NY_ENTRY_PTR, 8, INT64_MIN, 8, "not ascending"},
    };
    for (size_t i = 0; i < sizeof sparse / sizeof *sparse; i++)
        expect_refusal(
            load_array(SAMPLE_SPARSE, sparse[i].entry, 128 + sparse[i].at, &sparse[i].value, sparse[i].bytes),
            sparse[i].entry, sparse[i].reason);
}

/* Knots that do not ascend, that belong to no input or to two; a bend of sparse inputs. */
static void wrong_bends_are_refused(void **state) {
    (void)state;
    static const double bad = NAN, far = 9, low = -9;
    static const struct {
        const char *entry;
        int64_t at;
        double value;
        const char *reason;
    } reals[] = {
        {NY_ENTRY_KNOTS, 0, 1.0 / 3, "do not ascend"}, {NY_ENTRY_KNOTS, 1, 9, "do not ascend"},
        {NY_ENTRY_KNOTS, 3, 0, "do not ascend"},       {NY_ENTRY_KNOTS_Z, 1, 9, "do not ascend"},
        {NY_ENTRY_KNOTS_Z, 3, -9, "do not ascend"},    {NY_ENTRY_LOG, 5, -1e-9, "below 0"},
        {NY_ENTRY_LOG, 3, 1, "knots and a logarithm"},
    };
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        expect_refusal(load_array(SAMPLE_MULTICLASS, reals[i].entry, 128 + 8 * reals[i].at, &reals[i].value, 8),
                       reals[i].entry, reals[i].reason);
    static const int64_t places[][2] = {{0, 1}, {1, 5}, {1, -1}, {2, 3}, {2, 5}, {3, 3}, {3, 5}, {1, INT64_MAX}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        expect_refusal(load_array(SAMPLE_MULTICLASS, NY_ENTRY_KNOTS_PTR, 128 + 8 * places[i][0], &places[i][1], 8),
                       "ptr", "the knots of the inputs");
    static const char *const entries[] = {NY_ENTRY_KNOTS, NY_ENTRY_KNOTS_Z, NY_ENTRY_LOG};
    for (int k = 0; k < 3; k++) {
        expect_refusal(load_array(SAMPLE_MULTICLASS, entries[k], 128, &bad, 8), entries[k], "not finite");
        expect_refusal(load_edited(SAMPLE_MULTICLASS, entries[k], NULL, 0, ZIP_CM_STORE), entries[k], entries[k]);
    }
    assert_int_equal(load_array(SAMPLE_MULTICLASS, NY_ENTRY_KNOTS, 128 + 8 * 3, &far, 8), NY_OK);
    assert_int_equal(load_array(SAMPLE_MULTICLASS, NY_ENTRY_KNOTS_Z, 128, &low, 8), NY_OK);
    /* without this one there is no bend: it cannot be lost, as the archive's list has it or not */
    assert_int_equal(load_edited(SAMPLE_MULTICLASS, NY_ENTRY_KNOTS_PTR, NULL, 0, ZIP_CM_STORE), NY_OK);
    expect_refusal(load_meta(SAMPLE_MULTICLASS, "\"sparse\": false", "\"sparse\": true"), "sparse",
                   "sparse inputs cannot be bent");
}

static void wrong_shapes_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *entry, *from, *to, *reason;
    } cases[] = {
        {NY_ENTRY_BETA, "(3, 4)", "(4, 3)", "4 rows where 3 are expected"},
        {NY_ENTRY_BETA, "(3, 4)", "(12,) ", "number of dimensions"},
        {NY_ENTRY_BETA, "(3, 4)", "(3, 5)", "does not go with"},
        {NY_ENTRY_BETA, "<f8", "<i8", "another type"},
        {NY_ENTRY_BETA, "<f8", "<f4", "header"},
        {NY_ENTRY_BETA, "False", "True ", "header"},
        {NY_ENTRY_LANDMARKS, "(4, 3)", "(3, 4)", "3 rows where 4 are expected"},
        {NY_ENTRY_LANDMARKS, "(4, 3)", "(6, 2)", "6 rows where 4 are expected"},
        {NY_ENTRY_BIAS, "(3,)", "(9,)", "does not go with"},
        {NY_ENTRY_CALIBRATION, "NUMPY", "MUNPY", "not a .npy array"},
        {NY_ENTRY_CALIBRATION, "(2,)", "(1,)", "does not go with"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t size;
        char *entry = entry_of(SAMPLE_MULTICLASS, cases[i].entry, &size);
        char *at = memmem(entry, 128, cases[i].from, strlen(cases[i].from));
        assert_non_null(at);
        memcpy(at, cases[i].to, strlen(cases[i].to));
        ny_status st = load_edited(SAMPLE_MULTICLASS, cases[i].entry, entry, size, ZIP_CM_STORE);
        expect_refusal(st, cases[i].to, cases[i].reason);
        free(entry);
    }
    int64_t size; /* three slopes, all in order but their number */
    char *entry = entry_of(SAMPLE_MULTICLASS, NY_ENTRY_BIAS, &size);
    expect_refusal(load_edited(SAMPLE_MULTICLASS, NY_ENTRY_CALIBRATION, entry, size, ZIP_CM_STORE), "slopes",
                   "2 are expected");
    free(entry);
}

/* What only newer models have: left out whole it is an older model; in part, or out of its bounds, it is refused. */
static void wrong_confidence_is_refused(void **state) {
    (void)state;
    static const double bad[] = {0, -1, 2, NAN};
    static const char *const parts[] = {NY_ENTRY_MEAN, NY_ENTRY_DIAG, NY_ENTRY_OFF, NY_ENTRY_NOISE, NY_ENTRY_SHARE};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        expect_refusal(load_edited(SAMPLE_REGRESSION, parts[i], NULL, 0, ZIP_CM_STORE), parts[i], parts[i]);
        expect_refusal(load_array(SAMPLE_REGRESSION, parts[i], 128, &bad[3], 8), parts[i], "not finite");
    }
    assert_int_equal(load_edited(SAMPLE_REGRESSION, NY_ENTRY_MAP, NULL, 0, ZIP_CM_STORE), NY_OK);
    assert_int_equal(load_edited(SAMPLE_MULTICLASS, NY_ENTRY_PRIOR, NULL, 0, ZIP_CM_STORE), NY_OK);
    expect_refusal(load_edited(SAMPLE_MULTICLASS, NY_ENTRY_FREQUENCY, NULL, 0, ZIP_CM_STORE), "prior alone", "without");
    for (int k = 0; k < 2; k++)
        expect_refusal(load_array(SAMPLE_REGRESSION, NY_ENTRY_NOISE, 128, &bad[k], 8), "noise", "not above 0");
    expect_refusal(load_array(SAMPLE_REGRESSION, NY_ENTRY_C, 128, &bad[0], 8), "C", "not above 0");
    expect_refusal(load_array(SAMPLE_REGRESSION, NY_ENTRY_SHARE, 128, &bad[1], 8), "share", "not above 0");
    expect_refusal(load_array(SAMPLE_REGRESSION, NY_ENTRY_QUANTILE, 128, &bad[1], 8), "quantiles", "not ascending");
    expect_refusal(load_array(SAMPLE_REGRESSION, NY_ENTRY_QUANTILE, 128, &bad[2], 8), "quantiles", "not ascending");
    expect_refusal(load_array(SAMPLE_MULTICLASS, NY_ENTRY_MODERATION, 128 + 16, &bad[0], 8), "within", "not above 0");
    for (int k = 1; k < 3; k++) {
        expect_refusal(load_array(SAMPLE_MULTICLASS, NY_ENTRY_PRIOR, 128, &bad[k], 8), "prior", "not shares");
        expect_refusal(load_array(SAMPLE_MULTICLASS, NY_ENTRY_FREQUENCY, 128, &bad[k], 8), "frequency", "not shares");
    }
    int64_t size; /* of another rank */
    char *entry = entry_of(SAMPLE_MULTICLASS, NY_ENTRY_SHARE, &size);
    expect_refusal(load_edited(SAMPLE_MULTICLASS, NY_ENTRY_MEAN, entry, size, ZIP_CM_STORE), "rank", NY_ENTRY_MAP);
    free(entry);
}

/* A compressed entry could unfold to any size. */
static void compressed_entries_are_refused(void **state) {
    (void)state;
    enum { SIZE = 1 << 24 };
    char *zeros = calloc(1, SIZE);
    expect_refusal(load_edited(SAMPLE_SPARSE, NY_ENTRY_META, zeros, SIZE, ZIP_CM_DEFLATE), "zip bomb", "not stored");
    free(zeros);
}

/* A 64-bit directory that claims 2^44 entries, in a file of 102 bytes. */
static void claimed_entries_are_not_believed(void **state) {
    (void)state;
    unsigned char file[4 + 56 + 20 + 22] = "PK\3\4";
    unsigned char *end64 = file + 4, *locator = end64 + 56, *end = locator + 20;
    memcpy(end64, "PK\6\6\x2c\0\0\0\0\0\0\0-\0-\0", 16);
    end64[24 + 5] = end64[32 + 5] = 0x10;
    end64[48] = 4;
    memcpy(locator, "PK\6\7", 4);
    locator[8] = 4;
    locator[16] = 1;
    memcpy(end, "PK\5\6", 4);
    memset(end + 8, 0xff, 12);
    ny_model *model = NULL;
    expect_refusal(ny_model_load_memory(ctx, file, sizeof file, "evil.nysel", &model), "2^44 entries", "");
    memset(locator + 8, 0xff, 8); /* points outside the file */
    expect_refusal(ny_model_load_memory(ctx, file, sizeof file, "evil.nysel", &model), "offset", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(editing_alone_does_no_harm),       cmocka_unit_test(wrong_meta_is_refused),
        cmocka_unit_test(deep_or_broken_json_is_refused),   cmocka_unit_test(missing_entries_are_named),
        cmocka_unit_test(wrong_arrays_are_refused),         cmocka_unit_test(wrong_bends_are_refused),
        cmocka_unit_test(wrong_shapes_are_refused),         cmocka_unit_test(compressed_entries_are_refused),
        cmocka_unit_test(claimed_entries_are_not_believed), cmocka_unit_test(too_many_classes_are_refused),
        cmocka_unit_test(wrong_confidence_is_refused),
    };
    return cmocka_run_group_tests_name("hostile model files", tests, setup, teardown);
}
