/* cmd_predict.c: nysel predict MODEL DATA [-o OUT.csv]: one line per row of DATA. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "numbers.h"

typedef struct predictions {
    const ny_model *model;
    int64_t n, classes, outputs;
    double *value;  /* n */
    double *proba;  /* n x classes, row by row, or NULL */
    double *scores; /* n x outputs, row by row, or NULL */
} predictions;

static void put_value(FILE *out, const predictions *p, int64_t i, bool json) {
    if (p->classes > 0) {
        const char *label = ny_model_label(p->model, (int64_t)p->value[i]);
        json ? cli_put_json(out, label) : cli_put_csv(out, "", label);
    } else {
        json ? cli_put_json_number(out, p->value[i]) : cli_put_number(out, p->value[i]);
    }
}

static void write_csv(FILE *out, const predictions *p) {
    fputs("prediction", out);
    for (int64_t k = 0; p->proba && k < p->classes; k++) {
        fputc(',', out);
        cli_put_csv(out, "p_", ny_model_label(p->model, k));
    }
    for (int64_t j = 0; p->scores && j < p->outputs; j++) fprintf(out, ",score_%lld", (long long)j + 1);
    fputc('\n', out);
    for (int64_t i = 0; i < p->n; i++) {
        put_value(out, p, i, false);
        for (int64_t k = 0; p->proba && k < p->classes; k++) {
            fputc(',', out);
            cli_put_number(out, p->proba[i * p->classes + k]);
        }
        for (int64_t j = 0; p->scores && j < p->outputs; j++) {
            fputc(',', out);
            cli_put_number(out, p->scores[i * p->outputs + j]);
        }
        fputc('\n', out);
    }
}

static void json_rows(FILE *out, const char *name, const double *v, int64_t n, int64_t width) {
    fprintf(out, ",\n  \"%s\": [", name);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < width; j++) {
            fputs(j > 0 ? ", " : i > 0 ? ",\n    [" : "\n    [", out);
            cli_put_json_number(out, v[i * width + j]);
        }
        fputc(']', out);
    }
    fputs("\n  ]", out);
}

static void write_json(FILE *out, const cli_job *job, const predictions *p) {
    fputs("{\n  \"version\": ", out);
    cli_put_json(out, ny_version());
    fputs(",\n  \"command\": \"predict\",\n  \"model\": ", out);
    cli_put_json(out, job->operand[0]);
    fputs(",\n  \"data\": ", out);
    cli_put_json(out, job->operand[1]);
    fprintf(out, ",\n  \"rows\": %lld,\n  \"classes\": [", (long long)p->n);
    for (int64_t k = 0; k < p->classes; k++) {
        fputs(k > 0 ? ", " : "", out);
        cli_put_json(out, ny_model_label(p->model, k));
    }
    fputs("],\n  \"prediction\": [", out);
    for (int64_t i = 0; i < p->n; i++) {
        fputs(i > 0 ? ", " : "", out);
        put_value(out, p, i, true);
    }
    fputc(']', out);
    if (p->proba) json_rows(out, "proba", p->proba, p->n, p->classes);
    if (p->scores) json_rows(out, "scores", p->scores, p->n, p->outputs);
    fputs("\n}\n", out);
}

static int write_all(cli_job *job, const predictions *p) {
    cli_output output;
    const char *csv = cli_text(job, "output"), *json = cli_text(job, "json");
    bool json_instead = strcmp(json, "-") == 0 && (*csv == '\0' || strcmp(csv, "-") == 0);
    if (!json_instead) {
        if (!cli_output_open(&output, csv)) return EXIT_FAILED;
        write_csv(output.file, p);
        if (!cli_output_close(&output)) return EXIT_FAILED;
    }
    if (*json) {
        if (!cli_output_open(&output, json)) return EXIT_FAILED;
        write_json(output.file, job, p);
        if (!cli_output_close(&output)) return EXIT_FAILED;
    }
    return EXIT_DONE;
}

/* n x width numbers, or NULL; calloc checks the product. */
static double *numbers(int64_t n, int64_t width) {
    size_t rows = n > 0 ? (size_t)n : 1, columns = width > 0 ? (size_t)width : 1;
    return rows > SIZE_MAX / columns ? NULL : calloc(rows * columns, sizeof(double));
}

static int predict(cli_job *job, const ny_model *model, const ny_data *data) {
    bool proba = cli_is(job, "proba"), scores = cli_is(job, "scores");
    predictions p = {.model = model,
                     .n = ny_data_rows(data),
                     .classes = ny_model_classes(model),
                     .outputs = ny_model_outputs(model)};
    p.value = numbers(p.n, 1);
    p.proba = proba ? numbers(p.n, p.classes) : NULL;
    p.scores = scores ? numbers(p.n, p.outputs) : NULL;
    int code = EXIT_FAILED;
    if (!p.value || (proba && !p.proba) || (scores && !p.scores)) {
        cli_error("%s", ny_status_text(NY_ERR_MEMORY));
    } else {
        ny_status status = ny_predict(job->ctx, model, data, job->options, p.value, p.proba, p.scores);
        cli_progress_clear(&job->progress);
        code = status == NY_OK ? write_all(job, &p) : cli_fail(job, status);
    }
    free(p.value);
    free(p.proba);
    free(p.scores);
    return code;
}

int cmd_predict(cli_job *job) {
    if (cli_outputs_clash(job)) return EXIT_USAGE;
    if (!cli_output_check(cli_text(job, "output")) || !cli_output_check(cli_text(job, "json"))) return EXIT_FAILED;
    ny_model *model = NULL;
    ny_data *data = NULL;
    int code;
    ny_status status = ny_model_load(job->ctx, job->operand[0], &model);
    if (status == NY_OK && cli_is(job, "proba") && ny_model_classes(model) == 0)
        code = cli_usage_error("--proba needs a classifier, and '%s' is a regression model", job->operand[0]);
    else if (status == NY_OK && (status = ny_data_read(job->ctx, job->operand[1], job->options, model, &data)) == NY_OK)
        code = predict(job, model, data);
    else code = cli_fail(job, status);
    ny_data_free(data);
    ny_model_free(model);
    return code;
}
