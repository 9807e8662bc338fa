/* points.c: see points.h. Points meet in a hash table of their bits. */
#include "points.h"

#include <string.h>

typedef struct { /* a point that was met */
    const ny_matrix *from;
    int64_t column;
    int64_t machine; /* the last one that has it, counted from 1; 0: the place is free */
    int32_t number;  /* in the shared matrix */
} met;

typedef struct {
    met *place;
    uint64_t mask; /* places less one, which are a power of two */
    int64_t points;
} table;

/* The bits of a point: its numbers, and where it is sparse which inputs they are of. */
typedef struct {
    const double *value;
    const int32_t *input;
    int64_t count;
} bits;

static bits bits_of(const ny_matrix *Z, int64_t c) {
    if (!ny_matrix_is_sparse(Z)) return (bits){Z->x + c * Z->d, NULL, Z->d};
    return (bits){Z->val + Z->ptr[c], Z->idx + Z->ptr[c], Z->ptr[c + 1] - Z->ptr[c]};
}

static uint64_t hash_of(bits b) {
    uint64_t h = (uint64_t)b.count, word;
    for (int64_t k = 0; k < b.count; k++) {
        memcpy(&word, &b.value[k], sizeof word);
        h = (h ^ word ^ (uint64_t)(b.input ? b.input[k] : 0)) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

static bool equal(bits a, bits b) {
    return a.count == b.count && memcmp(a.value, b.value, (size_t)a.count * sizeof *a.value) == 0 &&
           (!a.input || memcmp(a.input, b.input, (size_t)a.count * sizeof *a.input) == 0);
}

/* The number of a machine's point, which is new where no other machine has had it (or this one has taken it). */
static int32_t number_of(table *t, const ny_matrix *Z, int64_t column, int64_t machine) {
    bits b = bits_of(Z, column);
    uint64_t at = hash_of(b) & t->mask;
    met *p = &t->place[at];
    while (p->machine && (p->machine == machine || !equal(bits_of(p->from, p->column), b)))
        p = &t->place[at = (at + 1) & t->mask];
    if (!p->machine) *p = (met){Z, column, machine, (int32_t)t->points++};
    p->machine = machine;
    return p->number;
}

ny_status ny_points_share(ny_ctx *ctx, const ny_expansion *f, ny_matrix *Z, int32_t **index) {
    ny_status st = NY_OK;
    int64_t total = ny_expansion_points(f), places = 2, machine = 1, at = 0, *fresh = NULL;
    table t = {0};
    *Z = (ny_matrix){0};
    *index = NULL;
    NY_CHECK(ctx, total <= INT32_MAX, NY_ERR_MODEL, "the model cannot be saved: its machines have %lld points in all",
             (long long)total);
    while (places < 2 * total) places *= 2;
    NY_NEW(ctx, t.place, places);
    t.mask = (uint64_t)places - 1;
    NY_NEW_RAW(ctx, *index, total);
    NY_NEW_RAW(ctx, fresh, total);
    for (; f; f = f->next, machine++) {
        int64_t count = 0;
        for (int64_t c = 0; c < f->Z.n; c++) {
            int64_t before = t.points;
            (*index)[at++] = number_of(&t, &f->Z, c, machine);
            if (t.points > before) fresh[count++] = c;
        }
        NY_TRY(ny_matrix_append(ctx, &f->Z, fresh, count, Z));
    }
done:
    ny_free(t.place);
    ny_free(fresh);
    return st;
}

ny_status ny_points_spread(ny_ctx *ctx, const ny_matrix *Z, const int32_t *index, ny_expansion *f) {
    ny_status st = NY_OK;
    int64_t machine = 1, *last = NULL, *columns = NULL;
    NY_NEW(ctx, last, Z->n);
    NY_NEW_RAW(ctx, columns, Z->n);
    for (; f; f = f->next, machine++) {
        int64_t count = f->Z.n;
        f->Z = (ny_matrix){0};
        NY_CHECK(ctx, count <= Z->n, NY_ERR_MODEL, "machine %lld has %lld points, and there are %lld",
                 (long long)machine, (long long)count, (long long)Z->n);
        for (int64_t k = 0; k < count; k++, index++) {
            NY_CHECK(ctx, *index >= 0 && *index < Z->n && last[*index] != machine, NY_ERR_MODEL,
                     "point %d of machine %lld does not exist, or is there twice", (int)*index, (long long)machine);
            last[*index] = machine;
            columns[k] = *index;
        }
        NY_TRY(ny_matrix_gather(ctx, Z, columns, count, &f->Z));
    }
done:
    ny_free(last);
    ny_free(columns);
    return st;
}
