/* test_model_file.c: what is saved is what is loaded, to the last bit; damage of any kind is noticed. */
#include "unit/test_model_samples.h"

#include <time.h>
#include <unistd.h>

#include "support.h"

static ny_ctx *ctx;
static char path[64];

static int setup(void **state) {
    (void)state;
    snprintf(path, sizeof path, "ny_test_model_%d.nysel", (int)getpid());
    return (ctx = ny_ctx_new()) ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    unlink(path);
    ny_ctx_free(ctx);
    return 0;
}

static char *saved(sample_kind kind, int64_t *size) {
    ny_model *model = sample_model(ctx, kind);
    ny_status st = ny_model_save(ctx, model, path);
    ny_model_free(model);
    if (st != NY_OK) fail_msg("%s", ny_message(ctx));
    return read_whole(path, size);
}

static void loads_what_was_saved(void **state) {
    (void)state;
    int64_t live = ny_alloc_live();
    for (int kind = 0; kind < SAMPLES; kind++) {
        ny_model *model = sample_model(ctx, (sample_kind)kind), *back = NULL;
        if (ny_model_save(ctx, model, path) != NY_OK) fail_msg("sample %d: %s", kind, ny_message(ctx));
        if (ny_model_load(ctx, path, &back) != NY_OK) fail_msg("sample %d: %s", kind, ny_message(ctx));
        const char *what = model_difference(model, back);
        if (what) fail_msg("sample %d differs: %s", kind, what);
        assert_int_equal(ny_model_classes(back), model->classes);
        assert_int_equal(ny_model_outputs(back), ny_expansion_width(&model->f));
        for (int64_t k = 0; k < model->classes; k++) assert_string_equal(ny_model_label(back, k), model->label[k]);
        assert_null(ny_model_label(back, model->classes));
        assert_null(ny_model_label(back, -1));
        ny_model_free(model);
        ny_model_free(back);
    }
    assert_int_equal(ny_alloc_live(), live);
}

/* A loaded record can grow further, as a new one can. */
static void record_grows_after_loading(void **state) {
    (void)state;
    int64_t size;
    char *bytes = saved(SAMPLE_REGRESSION, &size);
    ny_model *model = NULL;
    assert_int_equal(ny_model_load_memory(ctx, bytes, size, "memory", &model), NY_OK);
    for (int i = 0; i < 40; i++) {
        assert_int_equal(ny_record_note(ctx, model->record, "note %d", i), NY_OK);
        assert_int_equal(ny_record_evaluation(ctx, model->record, (ny_evaluation){.kernel = &ny_kernel_rbf, .C = i}),
                         NY_OK);
    }
    assert_int_equal(model->record->notes, 43);
    assert_string_equal(model->record->note[42], "note 39");
    assert_true(model->record->evaluation[44].C == 39);
    ny_model_free(model);
    free(bytes);
}

static void saves_the_same_bytes_again(void **state) {
    (void)state;
    for (int kind = 0; kind < SAMPLES; kind++) {
        int64_t size, again;
        char *first = saved((sample_kind)kind, &size);
        setenv("TZ", "Asia/Tokyo", 1); /* dates in the archive must not follow the clock or its zone */
        tzset();
        if (kind == 0) sleep(2); /* DOS dates have two-second steps */
        char *second = saved((sample_kind)kind, &again);
        unsetenv("TZ");
        tzset();
        assert_int_equal(size, again);
        assert_memory_equal(first, second, (size_t)size);
        ny_model *model = NULL;
        assert_int_equal(ny_model_load_memory(ctx, first, size, "memory", &model), NY_OK);
        assert_int_equal(ny_model_save(ctx, model, path), NY_OK);
        char *third = read_whole(path, &again);
        assert_int_equal(size, again);
        assert_memory_equal(first, third, (size_t)size);
        ny_model_free(model);
        free(first);
        free(second);
        free(third);
    }
}

/* The only right answers to a changed file. `context` is for the message. */
static void check_answer(ny_status st, ny_model *model, const ny_model *original, const char *context, int64_t at) {
    if (st == NY_OK) {
        const char *what = model_difference(original, model);
        if (what) fail_msg("%s %lld: accepted, but differs: %s", context, (long long)at, what);
        ny_model_free(model);
        return;
    }
    if (st != NY_ERR_MODEL && st != NY_ERR_FILE)
        fail_msg("%s %lld: status %d: %s", context, (long long)at, (int)st, ny_message(ctx));
    if (strncmp(ny_message(ctx), "memory: ", 8) != 0) fail_msg("no file name: %s", ny_message(ctx));
    assert_null(model);
}

static void notices_every_truncation(void **state) {
    (void)state;
    int64_t live = ny_alloc_live();
    for (int kind = 0; kind < 2; kind++) {
        int64_t size;
        char *bytes = saved((sample_kind)kind, &size);
        for (int64_t length = 0; length < size; length++) {
            ny_model *model = NULL;
            char *part = malloc((size_t)length + 1); /* its own block, so that a sanitizer sees reads beyond the end */
            memcpy(part, bytes, (size_t)length);
            ny_status st = ny_model_load_memory(ctx, part, length, "memory", &model);
            if (st != NY_ERR_MODEL) fail_msg("length %lld: status %d: %s", (long long)length, (int)st, ny_message(ctx));
            free(part);
        }
        free(bytes);
    }
    assert_int_equal(ny_alloc_live(), live);
}

static void notices_every_flipped_bit(void **state) {
    (void)state;
    int64_t live = ny_alloc_live(), size, accepted = 0;
    ny_model *original = sample_model(ctx, SAMPLE_SPARSE);
    char *bytes = saved(SAMPLE_SPARSE, &size);
    for (int64_t bit = 0; bit < 8 * size; bit++) {
        ny_model *model = NULL;
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        ny_status st = ny_model_load_memory(ctx, bytes, size, "memory", &model);
        accepted += st == NY_OK;
        check_answer(st, model, original, "bit", bit);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
    print_message("%lld of %lld bits do not matter\n", (long long)accepted, (long long)(8 * size));
    assert_true(accepted < 8 * size / 20); /* dates and the like, in the zip directory */
    ny_model_free(original);
    free(bytes);
    assert_int_equal(ny_alloc_live(), live);
}

static void names_files_that_are_not_models(void **state) {
    (void)state;
    ny_model *model = NULL;
    assert_int_equal(ny_model_load(ctx, "/nonexistent/m.nysel", &model), NY_ERR_FILE);
    assert_non_null(strstr(ny_message(ctx), "/nonexistent/m.nysel"));
    assert_int_equal(ny_model_load(ctx, "/tmp", &model), NY_ERR_FILE);
    FILE *file = fopen(path, "w");
    fputs("a,b,target\n1,2,3\n4,5,6\n7,8,9\n", file);
    fclose(file);
    assert_int_equal(ny_model_load(ctx, path, &model), NY_ERR_MODEL);
    assert_non_null(strstr(ny_message(ctx), path));
    assert_non_null(strstr(ny_message(ctx), "not a nysel model"));
    file = fopen(path, "w");
    fclose(file);
    assert_int_equal(ny_model_load(ctx, path, &model), NY_ERR_MODEL);
    assert_null(model);
}

/* Loading must not keep files open. */
static void closes_its_files(void **state) {
    (void)state;
    int64_t size;
    free(saved(SAMPLE_MULTICLASS, &size));
    int before = dup(0);
    close(before);
    for (int i = 0; i < 5; i++) {
        ny_model *model = NULL;
        assert_int_equal(ny_model_load(ctx, path, &model), NY_OK);
        ny_model_free(model);
        assert_int_equal(truncate(path, size - 1 - i), 0);
        assert_int_equal(ny_model_load(ctx, path, &model), NY_ERR_MODEL);
        free(saved(SAMPLE_MULTICLASS, &size));
    }
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

static void reports_what_cannot_be_written(void **state) {
    (void)state;
    int64_t live = ny_alloc_live();
    ny_model *model = sample_model(ctx, SAMPLE_MULTICLASS);
    assert_int_equal(ny_model_save(ctx, model, "/nonexistent/m.nysel"), NY_ERR_FILE);
    assert_non_null(strstr(ny_message(ctx), "/nonexistent/m.nysel"));
    if (access("/dev/full", W_OK) == 0) { /* a disk without room */
        assert_int_equal(ny_model_save(ctx, model, "/dev/full"), NY_ERR_FILE);
        assert_non_null(strstr(ny_message(ctx), "/dev/full"));
    }
    unlink(path);
    model->f.beta[3] = NAN;
    assert_int_equal(ny_model_save(ctx, model, path), NY_ERR_NUMERIC);
    model->f.beta[3] = INFINITY;
    assert_int_equal(ny_model_save(ctx, model, path), NY_ERR_NUMERIC);
    assert_int_not_equal(access(path, F_OK), 0);
    model->f.beta[3] = 0;
    model->f.kernel.bandwidth = INFINITY;
    assert_int_equal(ny_model_save(ctx, model, path), NY_ERR_NUMERIC);
    assert_int_not_equal(access(path, F_OK), 0);
    ny_model_free(model);
    assert_int_equal(ny_alloc_live(), live);
}

/* A failed save leaves an older model where it was. */
static void keeps_the_old_model(void **state) {
    (void)state;
    int64_t size, again;
    char *before = saved(SAMPLE_MULTICLASS, &size);
    ny_model *model = sample_model(ctx, SAMPLE_SPARSE);
    model->f.b[0] = NAN;
    assert_int_equal(ny_model_save(ctx, model, path), NY_ERR_NUMERIC);
    char *after = read_whole(path, &again);
    assert_int_equal(size, again);
    assert_memory_equal(before, after, (size_t)size);
    ny_model_free(model);
    free(before);
    free(after);
}

/* Python's own zip reader and the format of .npy as its documentation has it; numpy's reader too where there is one. */
static void python_opens_it(void **state) {
    (void)state;
    static const char script[] =
        "import ast, json, math, struct, sys, zipfile\n"
        "z = zipfile.ZipFile(sys.argv[1])\n"
        "assert z.testzip() is None\n"
        "class array:\n"
        "    def __init__(self, name):\n"
        "        raw = z.read(name + '.npy')\n"
        "        assert raw[:8] == bytes([147]) + b'NUMPY' + bytes([1, 0])\n"
        "        end = 10 + struct.unpack('<H', raw[8:10])[0]\n"
        "        head = ast.literal_eval(raw[10:end].decode())\n"
        "        assert end % 64 == 0 and head['descr'] == '<f8' and head['fortran_order'] is False\n"
        "        self.shape, count = head['shape'], math.prod(head['shape'])\n"
        "        self.v = struct.unpack('<%dd' % count, raw[end:])\n"
        "    def __getitem__(self, at): return self.v[at[0] * self.shape[1] + at[1]]\n"
        "meta = json.loads(z.read('meta.json'))\n"
        "f = {n: array(n) for n in ('landmarks', 'beta', 'bias', 'scale_shift', 'scale_factor', 'C', 'calibration')}\n"
        "assert meta['format'] == 'nysel-model' and meta['format_version'] == 3\n"
        "assert meta['kernel']['name'] == 'laplace'\n"
        "assert f['landmarks'].shape == (4, 3) and f['beta'].shape == (3, 4) and f['bias'].shape == (3,)\n"
        "assert f['landmarks'][1, 2] == math.sin(6.0) / 3\n"
        "assert f['beta'][2, 3] == math.sin(16.0) / 3 and f['beta'][0, 1] == 5e-324\n"
        "assert f['scale_shift'].shape == f['scale_factor'].shape == (3,)\n"
        "assert f['C'].shape == (3,) and f['calibration'].shape == (2,)\n"
        "assert [r['rows'] for r in meta['record']['evaluations']] == [0, 100, 200, 300, 400]\n"
        "try: import numpy\n"
        "except ImportError: sys.exit()\n"
        "n = numpy.load(sys.argv[1])\n"
        "assert all(tuple(n[k].ravel()) == f[k].v and n[k].shape == f[k].shape for k in f)\n";
    int64_t size;
    free(saved(SAMPLE_MULTICLASS, &size));
    char *file = write_file(".py", script, -1), command[256];
    snprintf(command, sizeof command, "python3 %s %s", file, path);
    assert_int_equal(system(command), 0);
    remove(file);
    free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_what_was_saved),       cmocka_unit_test(record_grows_after_loading),
        cmocka_unit_test(saves_the_same_bytes_again), cmocka_unit_test(notices_every_truncation),
        cmocka_unit_test(notices_every_flipped_bit),  cmocka_unit_test(names_files_that_are_not_models),
        cmocka_unit_test(closes_its_files),           cmocka_unit_test(reports_what_cannot_be_written),
        cmocka_unit_test(keeps_the_old_model),        cmocka_unit_test(python_opens_it),
    };
    return cmocka_run_group_tests_name("model file", tests, setup, teardown);
}
