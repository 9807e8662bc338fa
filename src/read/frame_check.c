/* frame_check.c: what can be said about a frame once its last row has come. */
#include <math.h>

#include "base/number.h"
#include "frame.h"

/* The field of a slot; the last slot stands for the weight. */
static int64_t field_of(const ny_frame *f, int64_t slot) {
    return slot < f->layout->slots ? f->layout->slot_field[slot] : f->layout->weight;
}

/* A model of libsvm text has no means to put. */
static bool lacks_means(const ny_frame *f) {
    return f->like && f->like->sparse && f->policy == NY_MISSING_MEAN;
}

bool ny_frame_doomed(const ny_frame *f) {
    return f->count.missing > 0 && (f->policy == NY_MISSING_ERROR || lacks_means(f));
}

/* Of the missing values that count, those of identifiers left out, the slot of the first in the file; -1: none. */
static int64_t first_missing(const ny_frame *f, int64_t *count) {
    int64_t first = -1;
    *count = 0;
    for (int64_t s = 0; s <= f->layout->slots; s++) {
        if (f->slot.missing[s] == 0 || f->slot.left_out[s]) continue;
        *count += f->slot.missing[s];
        bool before = first < 0 || f->slot.line[s] < f->slot.line[first] ||
                      (f->slot.line[s] == f->slot.line[first] && field_of(f, s) < field_of(f, first));
        if (before) first = s;
    }
    return first;
}

ny_status ny_frame_check(ny_ctx *ctx, const ny_frame *f) {
    ny_status st = NY_OK;
    const char *file = f->layout->source;
    int64_t count, slot = first_missing(f, &count);
    if (f->policy == NY_MISSING_ERROR && slot >= 0)
        NY_FAIL(
            ctx, NY_ERR_DATA,
            "%s:%lld:%lld: missing value (column \"%s\"), one of %lld in the file; --missing drop leaves their rows "
            "out, --missing mean fills them",
            file, (long long)f->slot.line[slot], (long long)field_of(f, slot) + 1,
            ny_layout_name(f->layout, field_of(f, slot)), (long long)count);
    NY_CHECK(ctx, f->count.rows > 0 || f->count.dropped == 0, NY_ERR_DATA,
             "%s: each of its %lld rows has a missing value and is dropped: nothing is left", file,
             (long long)f->count.dropped);
    NY_CHECK(ctx, f->count.rows > 0, NY_ERR_DATA, "%s has no rows", file);
    if (f->layout->weight >= 0) {
        NY_CHECK(ctx, f->count.weight_rows > 0, NY_ERR_DATA, "%s: the weights (column \"%s\") are all zero", file,
                 ny_layout_name(f->layout, f->layout->weight));
    }
    NY_CHECK(
        ctx, slot < 0 || !lacks_means(f), NY_ERR_DATA,
        "%s:%lld:%lld: missing value, and the model, made from libsvm text, has no column means; use --missing drop",
        file, (long long)f->slot.line[slot], (long long)field_of(f, slot) + 1);
done:
    return st;
}

/* Texts of a dictionary that are numbers or dates, and all of them, by their rows. */
static bool mostly_values(const ny_dict *dict, const int64_t *rows, int64_t room) {
    int64_t values = 0, all = 0;
    double value[NY_FORMS];
    for (int64_t k = 0; k < dict->count && k < room; k++) {
        all += rows[k];
        if (ny_form_all(ny_dict_text(dict, k), dict->length[k], value)) values += rows[k];
    }
    return all > 0 && 2 * values >= all;
}

bool ny_frame_odd(const ny_frame *f) {
    const ny_layout *l = f->layout;
    bool odd = false;
    for (int64_t c = 0; c < f->slot.categories && !odd; c++) {
        int64_t s = f->slot.category[c];
        odd = !l->field[l->slot_field[s]].asked &&
              mostly_values(&f->slot.level[s].dict, f->slot.level[s].rows, f->slot.level[s].room);
    }
    const ny_target *t = &f->target;
    bool texts = false;
    for (int64_t k = 0; l->target >= 0 && !t->many && !t->binary && k < t->dict.count; k++)
        texts = texts || isnan(t->value[k]);
    return odd || (texts && mostly_values(&t->dict, t->count, t->dict.count));
}
