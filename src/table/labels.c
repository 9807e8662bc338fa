/* labels.c: see labels.h. */
#include "labels.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

int64_t ny_label_find(int64_t labels, char *const *label, const char *text) {
    double x, y;
    for (int64_t k = 0; k < labels; k++)
        if (strcmp(label[k], text) == 0) return k;
    if (!ny_number_parse(text, (int64_t)strlen(text), &x)) return -1;
    for (int64_t k = 0; k < labels; k++)
        if (ny_number_parse(label[k], (int64_t)strlen(label[k]), &y) && x == y) return k;
    return -1;
}

ny_status ny_label_values(ny_ctx *ctx, const char *option, const char *expected, const char *text, int64_t labels,
                          char *const *label, double *value) {
    ny_status st = NY_OK;
    char *copy = ny_strdup(ctx, text), *save = NULL;
    if (!copy) return NY_ERR_MEMORY;
    for (int64_t k = 0; k < labels; k++) value[k] = NAN;
    for (char *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
        char *equals = strrchr(item, '=');
        double v = 0;
        NY_CHECK(ctx, equals, NY_ERR_USAGE, "--%s %s: expected %s", option, text, expected);
        *equals = 0;
        bool number = ny_number_parse(equals + 1, (int64_t)strlen(equals + 1), &v);
        NY_CHECK(ctx, number && v >= 0 && isfinite(v), NY_ERR_USAGE, "--%s: '%s' is not a number from 0 on (class %s)",
                 option, equals + 1, item);
        int64_t k = ny_label_find(labels, label, item);
        NY_CHECK(ctx, k >= 0, NY_ERR_USAGE, "--%s: there is no class '%s'", option, item);
        NY_CHECK(ctx, isnan(value[k]), NY_ERR_USAGE, "--%s: class '%s' is named twice", option, item);
        value[k] = v;
    }
done:
    ny_free(copy);
    return st;
}
