/* cmd_train.c: nysel train DATA [-o MODEL]: read, select, train, save, tell; with --test, test. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static int save(cli_job *job, const ny_model *model, const char *path) {
    if (*path == '\0') {
        if (!cli_is(job, "quiet")) fprintf(stderr, "nysel: model not saved: use -o FILE\n");
        return EXIT_DONE;
    }
    ny_status status = ny_model_save(job->ctx, model, path);
    return status == NY_OK ? EXIT_DONE : cli_fail(job, status);
}

/* Found out before the training: a file is named and can be opened. It is read when there is a model to read it for. */
static int check_test(const char *path) {
    if (*path == '\0') return EXIT_DONE;
    if (strcmp(path, "-") == 0) return cli_usage_error("--test needs a file: standard input is read once only");
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    else cli_error("cannot read '%s': %s", path, strerror(errno));
    return file ? EXIT_DONE : EXIT_FAILED;
}

/* json with the object `test` as its last member; for free(). */
static char *with_test(const char *json, const char *test) {
    char *merged = NULL;
    int length = (int)(strrchr(json, '}') - json);
    while (length > 0 && isspace((unsigned char)json[length - 1])) length--;
    return asprintf(&merged, "%.*s,\n  \"test\": %s}\n", length, json, test) < 0 ? NULL : merged;
}

typedef struct tested {
    char *text, *json;
} tested;

static ny_status run_test(cli_job *job, const ny_model *model, const char *path, tested *t) {
    ny_data *data = NULL;
    ny_status status = ny_data_read(job->ctx, path, job->options, model, &data);
    if (status == NY_OK) status = ny_test(job->ctx, model, data, job->options, &t->json, &t->text);
    ny_data_free(data);
    return status;
}

/* The training's report, and the test's behind it; a test that fails takes nothing from the first. */
static int tell(cli_job *job, const ny_model *model) {
    const char *path = cli_text(job, "test");
    char *text = NULL, *json = NULL, *longer = NULL, *merged = NULL;
    tested t = {NULL, NULL};
    ny_status status = ny_model_summary(job->ctx, model, &text);
    if (status == NY_OK && cli_wants_json(job)) status = ny_model_json(job->ctx, model, &json);
    if (status != NY_OK) {
        ny_text_free(text);
        return cli_fail(job, status);
    }
    if (*path) status = run_test(job, model, path, &t);
    if (t.text && asprintf(&longer, "%s\non %s: %s", text, path, t.text) < 0) longer = NULL;
    if (t.json && json) merged = with_test(json, t.json);
    int code = cli_report(job, longer ? longer : text, merged ? merged : json, true);
    if (status != NY_OK) code = cli_fail(job, status);
    free(longer);
    free(merged);
    ny_text_free(t.text);
    ny_text_free(t.json);
    ny_text_free(text);
    ny_text_free(json);
    return code;
}

int cmd_train(cli_job *job) {
    const char *path = cli_text(job, "output");
    if (strcmp(path, "-") == 0) return cli_usage_error("a model needs a file: standard output has the summary");
    int code = cli_outputs_check(job, job->operands);
    if (code == EXIT_DONE) code = check_test(cli_text(job, "test"));
    if (code != EXIT_DONE) return code;

    ny_data *data = NULL;
    ny_model *model = NULL;
    ny_status status = ny_data_read(job->ctx, job->operand[0], job->options, NULL, &data);
    if (status == NY_OK) status = cli_train(job, data, &model);
    if (status != NY_OK && status != NY_STOPPED) {
        code = cli_fail(job, status);
        goto done;
    }
    int saved = save(job, model, path);
    code = tell(job, model); /* also when saving failed: the numbers cost hours */
    if (saved != EXIT_DONE) code = saved;
    if (code == EXIT_DONE && status == NY_STOPPED) code = EXIT_STOPPED;
done:
    ny_model_free(model);
    ny_data_free(data);
    return code;
}
