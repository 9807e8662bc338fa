/* cmd_train.c: nysel train DATA [-o MODEL]: read, select, train, save, tell. */
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

static int tell(cli_job *job, const ny_model *model) {
    char *text = NULL, *json = NULL;
    ny_status status = ny_model_summary(job->ctx, model, &text);
    if (status == NY_OK && cli_wants_json(job)) status = ny_model_json(job->ctx, model, &json);
    int code = status == NY_OK ? cli_report(job, text, json, true) : cli_fail(job, status);
    ny_text_free(text);
    ny_text_free(json);
    return code;
}

int cmd_train(cli_job *job) {
    const char *path = cli_text(job, "output");
    if (strcmp(path, "-") == 0) return cli_usage_error("a model needs a file: standard output has the summary");
    if (cli_outputs_clash(job)) return EXIT_USAGE;
    if (!cli_output_check(path) || !cli_output_check(cli_text(job, "json"))) return EXIT_FAILED;

    ny_data *data = NULL;
    ny_model *model = NULL;
    int code;
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
