/* example_predict.c: predict with a model file, and nothing else: what a device needs that never trains. Prints the
 * class of each row and the probabilities of all classes, or the number. */
#include <nysel.h>
#include <stdio.h>
#include <stdlib.h>

static void print_rows(const ny_model *model, int64_t rows, const double *value, const double *proba) {
    int64_t classes = ny_model_classes(model);
    for (int64_t i = 0; i < rows; i++) {
        if (classes) printf("%s", ny_model_label(model, (int64_t)value[i]));
        else printf("%.17g", value[i]);
        for (int64_t k = 0; k < classes; k++) printf(",%.17g", proba[k + i * classes]);
        printf("\n");
    }
}

int main(int argc, char **argv) {
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = ny_options_new(ctx);
    ny_model *model = NULL;
    ny_data *data = NULL;
    double *value = NULL, *proba = NULL;
    if (argc != 3 || !options) return 2;
    ny_status st = ny_model_load(ctx, argv[1], &model);
    if (st == NY_OK) st = ny_data_read(ctx, argv[2], options, model, &data);
    int64_t rows = ny_data_rows(data), classes = ny_model_classes(model);
    if (st == NY_OK) {
        value = calloc((size_t)rows + 1, sizeof *value);
        proba = calloc((size_t)(rows * classes) + 1, sizeof *proba);
        st =
            value && proba ? ny_predict(ctx, model, data, options, value, classes ? proba : NULL, NULL) : NY_ERR_MEMORY;
    }
    if (st == NY_OK) print_rows(model, rows, value, proba);
    else fprintf(stderr, "%s: %s\n", ny_status_text(st), ny_message(ctx));
    free(value), free(proba), ny_data_free(data), ny_model_free(model), ny_options_free(options), ny_ctx_free(ctx);
    return st == NY_OK ? 0 : 1;
}
