/* cmd_test.c: nysel test MODEL DATA: metrics on labelled data. */
#include "cli.h"

int cmd_test(cli_job *job) {
    int code = cli_outputs_check(job, job->operands);
    if (code != EXIT_DONE) return code;
    ny_model *model = NULL;
    ny_data *data = NULL;
    char *text = NULL, *json = NULL;
    ny_status status = ny_model_load(job->ctx, job->operand[0], &model);
    if (status == NY_OK) status = ny_data_read(job->ctx, job->operand[1], job->options, model, &data);
    if (status == NY_OK) status = ny_test(job->ctx, model, data, job->options, &json, &text);
    code = status == NY_OK ? cli_report(job, text, json, false) : cli_fail(job, status);
    ny_text_free(text);
    ny_text_free(json);
    ny_data_free(data);
    ny_model_free(model);
    return code;
}
