/* loss.c: the table of losses. */
#include "loss.h"

#include <stddef.h>
#include <string.h>

static const ny_loss *const table[] = {
#define X(name) &ny_loss_##name,
    NY_LOSS_LIST(X)
#undef X
};

const ny_loss *ny_loss_at(int64_t index) {
    return index >= 0 && index < (int64_t)(sizeof table / sizeof *table) ? table[index] : NULL;
}

const ny_loss *ny_loss_find(const char *name) {
    for (int64_t i = 0; ny_loss_at(i); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

double ny_loss_value(const ny_loss_params *p, double y, double f) {
    double value, first, second;
    p->loss->at(p, 1, &y, &f, &value, &first, &second);
    return value;
}

double ny_loss_mean(const ny_loss_params *p, int64_t n, const double *y_scaled, const double *u, const double *f) {
    double sum = 0, weight = 0;
    for (int64_t i = 0; i < n; i++) {
        double v = u[i] * u[i];
        sum += v * ny_loss_value(p, y_scaled[i] / u[i], f[i]);
        weight += v;
    }
    return sum / weight;
}
