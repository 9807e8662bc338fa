/* dict.h: distinct texts, numbered in the order they come. */
#ifndef NY_DICT_H
#define NY_DICT_H

#include "base/ctx.h"

typedef struct ny_dict { /* all zero: empty */
    int64_t count;
    int64_t *start; /* count: where each text begins in `text` */
    int64_t *length;
    char *text;    /* one after another, each with a 0 behind it */
    int32_t *slot; /* slots: hash table of numbers + 1; 0 is free */
    int64_t slots, starts, lengths, text_size, text_room;
} ny_dict;

/* Frees everything and leaves an empty dictionary. */
void ny_dict_clear(ny_dict *dict);
/* The number of a text, or -1. */
int64_t ny_dict_find(const ny_dict *dict, const char *text, int64_t length);
/* The number of a text, which is added when it is new. At most INT32_MAX - 1 texts. */
ny_status ny_dict_add(ny_ctx *ctx, ny_dict *dict, const char *text, int64_t length, int64_t *number);
/* Valid until the next addition. */
static inline const char *ny_dict_text(const ny_dict *dict, int64_t number) {
    return dict->text + dict->start[number];
}

#endif
