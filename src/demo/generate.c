/* generate.c: the table of demo sets and ny_data_generate. Row i depends on (seed, i) only: more rows extend a set. */
#include "generate.h"

#include <stddef.h>

#include "base/family.h"
#include "table/data.h"

#define X(name) &ny_demo_##name,
NY_FAMILY(ny_demo, ny_demo, NY_DEMO_LIST(X))
#undef X

/* x: inputs x rows; y: rows; labels: rows, left alone in a regression. */
static void fill_rows(const ny_demo *demo, int64_t rows, uint64_t seed, double *x, double *y, const char **labels) {
    for (int64_t i = 0; i < rows; i++) {
        ny_rng rng = ny_rng_make(seed, NY_RNG_DATA, (uint32_t)i);
        y[i] = demo->fill(&rng, x + i * demo->inputs);
        if (demo->labels[0]) labels[i] = demo->labels[(int)y[i]];
    }
}

ny_status ny_data_generate(ny_ctx *ctx, const char *name, int64_t rows, uint64_t seed, ny_data **out) {
    ny_status st = NY_OK;
    ny_data *data = NULL;
    double *x = NULL, *y = NULL;
    const char **labels = NULL;
    NY_NEEDS(ctx, ctx && name && out, "a context, a name and a place for the data");
    *out = NULL;
    const ny_demo *demo = ny_demo_find(name);
    NY_CHECK(ctx, demo, NY_ERR_USAGE, "there is no demo called \"%s\"; `nysel help demo` lists them", name);
    if (rows == 0) rows = demo->rows;
    NY_CHECK(ctx, rows > 0 && rows <= UINT32_MAX, NY_ERR_USAGE, "%lld rows cannot be made", (long long)rows);
    double bytes = 16.0 * (double)rows * (double)(demo->inputs + 3); /* here and in the data */
    NY_CHECK(ctx, bytes <= (double)ny_available_bytes(), NY_ERR_MEMORY,
             "%lld rows need about %.0f MB, %.0f MB are free", (long long)rows, bytes / 1e6,
             (double)ny_available_bytes() / 1e6);
    NY_NEW_RAW(ctx, x, ny_size3(rows, demo->inputs, 1));
    NY_NEW_RAW(ctx, y, rows);
    NY_NEW(ctx, labels, rows);
    fill_rows(demo, rows, seed, x, y, labels);
    if (demo->labels[0]) NY_TRY(ny_data_from_labels(ctx, rows, demo->inputs, x, labels, &data));
    else NY_TRY(ny_data_from_rows(ctx, rows, demo->inputs, x, y, &data));
    /* Named as the written CSV names them, so that a model of one reads the other. */
    data->schema.named = true;
    ny_free(data->schema.target);
    ny_free(data->source);
    data->schema.target = ny_strdup(ctx, "target");
    data->source = ny_strdup(ctx, name);
    if (!data->schema.target || !data->source) st = NY_ERR_MEMORY;
done:
    ny_free(x);
    ny_free(y);
    ny_free(labels);
    if (st == NY_OK) *out = data;
    else ny_data_free(data);
    return st;
}
