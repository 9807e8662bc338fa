/* test_model_fault.c: every allocation fails once, ours and jansson's, while models are saved, loaded and reported:
 * the status is always "not enough memory", nothing leaks, no file is left behind. */
#include "unit/test_model_samples.h"

#include <dirent.h>
#include <jansson.h>
#include <unistd.h>

#include "support.h"

static ny_ctx *ctx;
static char folder[64], path[80];

/* ---- jansson on our allocator ----------------------------------------------------------------------------------- */

enum { HEAD = 64 };
static bool parsing;

/* jansson's lexer does not look whether its token buffer (16 bytes, doubled as needed) could grow and then reads past
 * its end, so while it parses, blocks of such sizes come from malloc and do not fail. The first byte tells which. */
static bool may_be_token_buffer(size_t size) {
    return parsing && size >= 32 && (size & (size - 1)) == 0;
}

static void *json_malloc(size_t size) {
    bool plain = may_be_token_buffer(size);
    char *block = plain ? malloc(size + HEAD) : ny_alloc_raw(ctx, (int64_t)size + HEAD, 1);
    if (!block) return NULL;
    block[0] = plain;
    return block + HEAD;
}

static void json_free(void *p) {
    if (!p) return;
    char *block = (char *)p - HEAD;
    if (block[0]) free(block);
    else ny_free(block);
}

static int setup(void **state) {
    (void)state;
    json_set_alloc_funcs(json_malloc, json_free);
    strcpy(folder, "ny_test_fault_XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/m.nysel", folder);
    return (ctx = ny_ctx_new()) ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    unlink(path);
    rmdir(folder);
    ny_ctx_free(ctx);
    return 0;
}

static int files_in_folder(void) {
    int files = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) files += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(dir);
    return files;
}

/* ---- the loop: the k-th allocation fails, for every k until all is well ------------------------------------------ */

typedef struct job {
    ny_model *model;
    ny_data *data;
    char *bytes;
    int64_t size;
} job;

typedef ny_status step_fn(const job *j);

/* jansson reports some of its failed allocations as a syntax error; the model is refused, which is what matters. */
static bool is_right(ny_status st) {
    return st == NY_ERR_MEMORY || (st == NY_ERR_MODEL && strstr(ny_message(ctx), "meta.json:"));
}

static int64_t fail_everywhere(step_fn *step, const job *j) {
    int64_t live = ny_alloc_live();
    for (int64_t k = 1;; k++) {
        int64_t before = ny_alloc_count();
        ny_alloc_fail_at(k);
        ny_status st = step(j);
        ny_alloc_fail_at(0);
        bool failed = ny_alloc_count() - before >= k; /* else there were fewer than k allocations */
        if (failed ? !is_right(st) : st != NY_OK)
            fail_msg("allocation %lld: status %d: %s", (long long)k, (int)st, ny_message(ctx));
        if (ny_alloc_live() != live)
            fail_msg("allocation %lld: %lld blocks leak", (long long)k, (long long)(ny_alloc_live() - live));
        if (!failed) return k - 1;
    }
}

static ny_status save_step(const job *j) {
    unlink(path);
    ny_status st = ny_model_save(ctx, j->model, path);
    assert_int_equal(files_in_folder(), st == NY_OK ? 1 : 0);
    return st;
}

static ny_status load_step(const job *j) {
    ny_model *model = NULL;
    parsing = true;
    ny_status st = ny_model_load_memory(ctx, j->bytes, j->size, "memory", &model);
    parsing = false;
    assert_true((st == NY_OK) == (model != NULL));
    if (model) assert_null(model_difference(j->model, model));
    ny_model_free(model);
    return st;
}

static ny_status load_file_step(const job *j) {
    ny_model *model = NULL;
    (void)j;
    parsing = true;
    ny_status st = ny_model_load(ctx, path, &model);
    parsing = false;
    ny_model_free(model);
    return st;
}

static ny_status json_step(const job *j) {
    char *text = NULL;
    ny_status st = ny_model_json(ctx, j->model, &text);
    assert_true((st == NY_OK) == (text != NULL));
    ny_text_free(text);
    return st;
}

static ny_status summary_step(const job *j) {
    char *text = NULL;
    ny_status st = ny_model_summary(ctx, j->model, &text);
    assert_true((st == NY_OK) == (text != NULL));
    ny_text_free(text);
    return st;
}

static ny_status test_step(const job *j) {
    char *json = NULL, *text = NULL;
    ny_status st = ny_test(ctx, j->model, j->data, NULL, &json, &text);
    assert_true((st == NY_OK) == (text != NULL) && (st == NY_OK) == (json != NULL));
    ny_text_free(json);
    ny_text_free(text);
    return st;
}

static ny_status describe_step(const job *j) {
    char *json = NULL, *text = NULL;
    ny_status st = ny_data_describe(ctx, j->data, j->model->options, &json, &text);
    assert_true((st == NY_OK) == (text != NULL) && (st == NY_OK) == (json != NULL));
    ny_text_free(json);
    ny_text_free(text);
    return st;
}

/* ---- the tests -------------------------------------------------------------------------------------------------- */

static void saving_and_loading(void **state) {
    (void)state;
    for (int kind = 0; kind < SAMPLES; kind++) {
        job j = {.model = sample_model(ctx, (sample_kind)kind)};
        int64_t saves = fail_everywhere(save_step, &j);
        j.bytes = read_whole(path, &j.size);
        int64_t loads = fail_everywhere(load_step, &j);
        fail_everywhere(load_file_step, &j);
        print_message("sample %d: %lld allocations to save, %lld to load\n", kind, (long long)saves, (long long)loads);
        assert_true(saves > 100 && loads > 100);
        ny_model_free(j.model);
        free(j.bytes);
    }
}

static void reporting(void **state) {
    (void)state;
    for (int kind = 0; kind < SAMPLES; kind++) {
        job j = {.model = sample_model(ctx, (sample_kind)kind)};
        fail_everywhere(json_step, &j);
        fail_everywhere(summary_step, &j);
        ny_model_free(j.model);
    }
}

static void testing_and_describing(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const char *const labels[] = {"-1", "who?", "caf\xe9"};
    job j = {.model = sample_model(ctx, SAMPLE_MULTICLASS)};
    j.model->f.beta[2] = 1; /* the sample's largest double would overflow */
    must(ctx, ny_data_from_labels(ctx, 3, 3, x, labels, &j.data));
    fail_everywhere(test_step, &j);
    fail_everywhere(describe_step, &j);
    ny_data_free(j.data);
    ny_model_free(j.model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saving_and_loading),
        cmocka_unit_test(reporting),
        cmocka_unit_test(testing_and_describing),
    };
    return cmocka_run_group_tests_name("failing allocations of models", tests, setup, teardown);
}
