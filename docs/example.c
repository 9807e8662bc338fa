/* example.c: train on a CSV, save the model, predict the first row. */
#include <nysel.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = ny_options_new(ctx);
    ny_data *data = NULL;
    ny_model *model = NULL;
    char *text = NULL;
    double *value = NULL;
    if (argc != 2 || !options) return 2;
    ny_status st = ny_options_set(ctx, options, "kernel", "rbf");
    if (st == NY_OK) st = ny_data_read(ctx, argv[1], options, NULL, &data);
    if (st == NY_OK) st = ny_train(ctx, data, options, &model);
    if (st == NY_OK) st = ny_model_save(ctx, model, "example.nysel");
    if (st == NY_OK) st = ny_model_summary(ctx, model, &text);
    if (st == NY_OK && !(value = calloc((size_t)ny_data_rows(data), sizeof *value))) st = NY_ERR_MEMORY;
    if (st == NY_OK) st = ny_predict(ctx, model, data, NULL, value, NULL, NULL);
    if (st != NY_OK) fprintf(stderr, "%s: %s\n", ny_status_text(st), ny_message(ctx));
    else if (ny_model_classes(model)) printf("%sfirst row: %s\n", text, ny_model_label(model, (int64_t)value[0]));
    else printf("%sfirst row: %g\n", text, value[0]);
    free(value), ny_text_free(text), ny_model_free(model), ny_data_free(data), ny_options_free(options),
        ny_ctx_free(ctx);
    return st == NY_OK ? 0 : 1;
}
