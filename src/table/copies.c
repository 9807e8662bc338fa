/* copies.c: see copies.h. Equal rows meet by a hash of their inputs and are compared; the values that no other row has
 * are found input by input (all at once where rows are sparse) in the sorted values of the groups that have none yet.
 */
#include "copies.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t hash;
    int64_t at; /* in the list of rows */
} hashed;

typedef struct { /* a value of an input, and how many rows have it */
    int64_t input;
    double value;
    int64_t count;
} owned;

typedef struct {
    const ny_matrix *X;
    const int64_t *rows;
    int64_t n, *copy;
    int64_t groups, *first, *size; /* of each group: its first row in the list, how many */
    bool *found;                   /* groups: it has a value of its own */
    int64_t values;
    owned *value;
} search;

/* The stored entries of a row. input: which each is; NULL: 0, 1, ... */
static int64_t entries(const search *s, int64_t at, const double **value, const int32_t **input) {
    const ny_matrix *X = s->X;
    int64_t i = s->rows[at];
    bool sparse = ny_matrix_is_sparse(X);
    *value = sparse ? X->val + X->ptr[i] : X->x + i * X->d;
    *input = sparse ? X->idx + X->ptr[i] : NULL;
    return sparse ? X->ptr[i + 1] - X->ptr[i] : X->d;
}

/* The finaliser of SplitMix64 (Steele et al. 2014). */
static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t hash_row(const search *s, int64_t at) {
    const double *value;
    const int32_t *input;
    uint64_t h = 0, bits;
    for (int64_t k = 0, count = entries(s, at, &value, &input); k < count; k++) {
        if (value[k] == 0) continue; /* stored or not, of either sign */
        memcpy(&bits, &value[k], sizeof bits);
        h = mix(h + 0x9e3779b97f4a7c15u + (uint64_t)(input ? input[k] : k)) ^ mix(bits);
    }
    return h;
}

static bool equal_rows(const search *s, int64_t a, int64_t b) {
    const double *x, *y;
    const int32_t *p, *q;
    int64_t count = entries(s, a, &x, &p), other = entries(s, b, &y, &q), k = 0, l = 0;
    for (;; k++, l++) {
        while (k < count && x[k] == 0) k++;
        while (l < other && y[l] == 0) l++;
        if (k == count || l == other) return k == count && l == other;
        if ((p ? p[k] : k) != (q ? q[l] : l) || x[k] != y[l]) return false;
    }
}

static int by_hash(const void *a, const void *b) {
    const hashed *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static int by_value(const void *a, const void *b) {
    const owned *x = a, *y = b;
    if (x->input != y->input) return x->input < y->input ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Groups of equal rows, of whatever values: copy, first, size. */
static ny_status find_equal(ny_ctx *ctx, search *s) {
    ny_status st = NY_OK;
    hashed *row = NULL;
    int64_t *group = NULL;
    NY_NEW_RAW(ctx, row, s->n);
    for (int64_t i = 0; i < s->n; i++) row[i] = (hashed){hash_row(s, i), i}, s->copy[i] = -1;
    qsort(row, (size_t)s->n, sizeof *row, by_hash);
    for (int64_t i = 0, head = 0; i < s->n; i++) { /* to each row the first one that it equals */
        if (row[i].hash != row[head].hash) head = i;
        if (i == head || !equal_rows(s, row[head].at, row[i].at)) continue;
        s->copy[row[head].at] = s->copy[row[i].at] = row[head].at;
    }
    for (int64_t i = 0; i < s->n; i++) s->groups += s->copy[i] == i;
    if (s->groups == 0) goto done;
    NY_NEW_RAW(ctx, group, s->n);
    NY_NEW_RAW(ctx, s->first, s->groups);
    NY_NEW(ctx, s->size, s->groups);
    NY_NEW(ctx, s->found, s->groups);
    for (int64_t i = 0, g = 0; i < s->n; i++) {
        if (s->copy[i] < 0) continue;
        if (s->copy[i] == i) s->first[g] = i, group[i] = g++;
        s->copy[i] = group[s->copy[i]];
        s->size[s->copy[i]]++;
    }
done:
    ny_free(row);
    ny_free(group);
    return st;
}

/* The values that the group's rows have in inputs first .. last-1, behind those that are there. */
static void add_values(search *s, int64_t g, int64_t first, int64_t last) {
    const double *value;
    const int32_t *input;
    int64_t count = entries(s, s->first[g], &value, &input);
    for (int64_t k = input ? 0 : first; k < (input ? count : last); k++)
        if (!input || value[k] != 0) s->value[s->values++] = (owned){input ? input[k] : k, value[k], 0};
}

static owned *look_up(const search *s, int64_t input, double value) {
    owned key = {input, value, 0};
    return bsearch(&key, s->value, (size_t)s->values, sizeof *s->value, by_value);
}

/* Which groups have a value of their own in inputs first .. last-1: all rows that have it are the group's. */
static void find_owned(search *s, int64_t first, int64_t last) {
    const double *value;
    const int32_t *input;
    int64_t distinct = 0;
    s->values = 0;
    for (int64_t g = 0; g < s->groups; g++)
        if (!s->found[g]) add_values(s, g, first, last);
    qsort(s->value, (size_t)s->values, sizeof *s->value, by_value);
    for (int64_t k = 0; k < s->values; k++)
        if (distinct == 0 || by_value(&s->value[distinct - 1], &s->value[k]) != 0) s->value[distinct++] = s->value[k];
    s->values = distinct;
    if (distinct == 0) return;
    for (int64_t i = 0; i < s->n; i++) {
        int64_t count = entries(s, i, &value, &input);
        for (int64_t k = input ? 0 : first; k < (input ? count : last); k++) {
            owned *found = look_up(s, input ? input[k] : k, value[k]);
            if (found) found->count++;
        }
    }
    for (int64_t g = 0; g < s->groups; g++) {
        if (s->found[g]) continue;
        int64_t count = entries(s, s->first[g], &value, &input);
        for (int64_t k = input ? 0 : first; k < (input ? count : last) && !s->found[g]; k++) {
            const owned *own = look_up(s, input ? input[k] : k, value[k]);
            s->found[g] = own && own->count == s->size[g];
        }
    }
}

static ny_status keep_owners(ny_ctx *ctx, search *s) {
    ny_status st = NY_OK;
    const double *value;
    const int32_t *input;
    int64_t room = s->groups, kept = 0;
    bool sparse = ny_matrix_is_sparse(s->X);
    for (int64_t g = 0; sparse && g < s->groups; g++) room += entries(s, s->first[g], &value, &input);
    NY_NEW_RAW(ctx, s->value, room);
    if (sparse) find_owned(s, 0, s->X->d);
    for (int64_t j = 0; j < s->X->d && !sparse; j++) find_owned(s, j, j + 1);
    for (int64_t g = 0; g < s->groups; g++) s->first[g] = s->found[g] ? kept++ : -1; /* its number from now on */
    for (int64_t i = 0; i < s->n; i++)
        if (s->copy[i] >= 0) s->copy[i] = s->first[s->copy[i]];
    s->groups = kept;
done:
    return st;
}

ny_status ny_copies_find(ny_ctx *ctx, const ny_matrix *X, const int64_t *rows, int64_t n, int64_t *copy,
                         int64_t *groups, int64_t *repeats) {
    ny_status st = NY_OK;
    search s = {.X = X, .rows = rows, .n = n, .copy = copy};
    NY_TRY(find_equal(ctx, &s));
    if (s.groups > 0) NY_TRY(keep_owners(ctx, &s));
    *groups = s.groups;
    *repeats = -s.groups;
    for (int64_t i = 0; i < n; i++) *repeats += copy[i] >= 0;
done:
    ny_free(s.first);
    ny_free(s.size);
    ny_free(s.found);
    ny_free(s.value);
    return st;
}
