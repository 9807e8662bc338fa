/* cmd_demo.c: nysel demo [NAME]: generated data, training, picture, test; or with --write the data only. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "help.h"
#include "tables.h"

enum { TEST_ROWS = 2000 };

/* The name of an option that asks for something and is for a training, if one was given: the data are only written. */
static const char *training_option(const cli_job *job) {
    static const char used[] = "write rows seed quiet progress", nothing[] = "auto none no";
    const ny_option_row *row;
    for (int64_t i = 0; (row = cli_option_at(i)); i++) {
        const char *text = cli_text(job, row->name);
        bool asks = *text && !cli_has_word(nothing, text) && (strcmp(text, "0") != 0 || strcmp(row->initial, "0") != 0);
        if (asks && cli_given(job, row->name) && !cli_has_word(used, row->name)) return row->name;
    }
    return NULL;
}

static int write_data(cli_job *job, const ny_data *data, const char *path) {
    ny_status status = ny_data_write_csv(job->ctx, data, path);
    if (status != NY_OK) return cli_fail(job, status);
    if (!cli_is(job, "quiet") && strcmp(path, "-") != 0)
        printf("%lld rows written to %s\n", (long long)ny_data_rows(data), path);
    return EXIT_DONE;
}

static ny_status test(cli_job *job, const ny_model *model, const char *name, uint64_t seed, char **text) {
    ny_data *data = NULL;
    ny_status status = ny_data_generate(job->ctx, name, TEST_ROWS, seed, &data);
    if (status == NY_OK) status = ny_test(job->ctx, model, data, job->options, NULL, text);
    ny_data_free(data);
    return status;
}

/* On standard error when the JSON has standard output. */
static void show(cli_job *job, const ny_model *model, const ny_data *data, const char *name, const char *text) {
    if (cli_is(job, "quiet")) return;
    FILE *out = strcmp(cli_text(job, "json"), "-") == 0 ? stderr : stdout;
    if (out == stdout) cli_picture(job, model, data);
    fprintf(out, "\non %d new rows of the same kind:\n%s", TEST_ROWS, text);
    fprintf(out,
            "\nnow with your own file, one row per line, the target in the last column:\n"
            "    nysel train data.csv -o model.nysel\n"
            "    nysel predict model.nysel new.csv\n"
            "or with this one: nysel demo %s --write %s.csv\n",
            name, name);
}

static int train_and_test(cli_job *job, const char *name, uint64_t seed, const ny_data *data) {
    ny_model *model = NULL;
    char *summary = NULL, *json = NULL, *tested = NULL;
    ny_status trained = cli_train(job, data, &model), status = trained == NY_STOPPED ? NY_OK : trained;
    if (status == NY_OK) status = ny_model_summary(job->ctx, model, &summary);
    if (status == NY_OK && cli_wants_json(job)) status = ny_model_json(job->ctx, model, &json);
    if (status == NY_OK) status = test(job, model, name, seed + 1, &tested);
    const char *save = cli_text(job, "output");
    if (status == NY_OK && *save) status = ny_model_save(job->ctx, model, save);
    int code = status == NY_OK ? cli_report(job, summary, json, true) : cli_fail(job, status);
    if (status == NY_OK) show(job, model, data, name, tested);
    if (code == EXIT_DONE && trained == NY_STOPPED) code = EXIT_STOPPED;
    ny_text_free(summary);
    ny_text_free(json);
    ny_text_free(tested);
    ny_model_free(model);
    return code;
}

int cmd_demo(cli_job *job) {
    const char *name = job->operands > 0 ? job->operand[0] : "banana";
    if (strcmp(name, "list") == 0) {
        const ny_option_row *row;
        for (int64_t i = 0; (row = cli_option_at(i)); i++)
            if (cli_given(job, row->name))
                return cli_usage_error("'nysel demo list' takes no options: leave out --%s", row->name);
        cli_help_family("demo");
        return EXIT_DONE;
    }
    const char *path = cli_text(job, "write");
    if (*path && training_option(job))
        return cli_usage_error("--%s is for a training, and --write only writes the data: leave one of them out",
                               training_option(job));
    int code = cli_outputs_check(job, 0);
    if (code != EXIT_DONE) return code;
    uint64_t seed = (uint64_t)strtod(cli_text(job, "seed"), NULL); /* the table bounds both by 2^53; 1e6 is allowed */
    int64_t rows = (int64_t)strtod(cli_text(job, "rows"), NULL);
    ny_data *data = NULL;
    ny_status status = ny_data_generate(job->ctx, name, rows, seed, &data);
    code = status != NY_OK ? cli_fail(job, status)
           : *path         ? write_data(job, data, path)
                           : train_and_test(job, name, seed, data);
    ny_data_free(data);
    return code;
}
