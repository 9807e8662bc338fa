/* cmd_info.c: nysel info FILE: what a model or data file holds. */
#include <string.h>

#include "cli.h"

/* A model is a zip file that begins with meta.json; anything else is data, or is named by the reader of data. */
static bool is_model(const char *path) {
    enum { NAME = 30, SIZE = NAME + 9 };
    char magic[SIZE] = {0};
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    if (!file) return false;
    size_t got = fread(magic, 1, sizeof magic, file);
    fclose(file);
    return got == SIZE && memcmp(magic, "PK\003\004", 4) == 0 && memcmp(magic + NAME, "meta.json", SIZE - NAME) == 0;
}

static ny_status describe_model(cli_job *job, char **json, char **text) {
    ny_model *model = NULL;
    ny_status status = ny_model_load(job->ctx, job->operand[0], &model);
    if (status == NY_OK) status = ny_model_json(job->ctx, model, json);
    if (status == NY_OK) status = ny_model_summary(job->ctx, model, text);
    ny_model_free(model);
    return status;
}

static ny_status describe_data(cli_job *job, char **json, char **text) {
    ny_data *data = NULL;
    ny_status status = ny_options_set(job->ctx, job->options, "stream", "no"); /* every row is described */
    if (status == NY_OK) status = ny_data_read(job->ctx, job->operand[0], job->options, NULL, &data);
    if (status == NY_OK) status = ny_data_describe(job->ctx, data, job->options, json, text);
    ny_data_free(data);
    return status;
}

/* The name of an option that says how to read data, if one was given. */
static const char *reading_option(const cli_job *job) {
    const ny_option_row *row;
    for (int64_t i = 0; (row = ny_options_row(i)); i++)
        if (ny_options_given(job->options, row->name)) return row->name;
    return NULL;
}

int cmd_info(cli_job *job) {
    int code = cli_outputs_check(job, job->operands);
    if (code != EXIT_DONE) return code;
    bool model = is_model(job->operand[0]);
    if (model && reading_option(job))
        return cli_usage_error("--%s is for data, and '%s' is a model: leave it out", reading_option(job),
                               job->operand[0]);
    char *json = NULL, *text = NULL;
    ny_status status = model ? describe_model(job, &json, &text) : describe_data(job, &json, &text);
    code = status == NY_OK ? cli_report(job, text, json, false) : cli_fail(job, status);
    ny_text_free(text);
    ny_text_free(json);
    return code;
}
