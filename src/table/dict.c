/* dict.c: a hash table with linear probing, at most half full. */
#include "dict.h"

#include <string.h>

#include "base/alloc.h"

enum { SLOTS_MIN = 64 };

/* FNV-1a with a final mix: short keys, and the low bits are what is used. */
static uint64_t hash(const char *text, int64_t length) {
    uint64_t h = 0xcbf29ce484222325u;
    for (int64_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h ^ h >> 29;
}

void ny_dict_clear(ny_dict *dict) {
    ny_free(dict->start);
    ny_free(dict->length);
    ny_free(dict->text);
    ny_free(dict->slot);
    memset(dict, 0, sizeof *dict);
}

/* The slot that holds the text, or the free one where it belongs. */
static int64_t find_slot(const ny_dict *dict, const char *text, int64_t length) {
    int64_t mask = dict->slots - 1, s = (int64_t)(hash(text, length) & (uint64_t)mask);
    for (; dict->slot[s]; s = (s + 1) & mask) {
        int64_t k = dict->slot[s] - 1;
        if (dict->length[k] == length && memcmp(dict->text + dict->start[k], text, (size_t)length) == 0) break;
    }
    return s;
}

int64_t ny_dict_find(const ny_dict *dict, const char *text, int64_t length) {
    return dict->slots ? (int64_t)dict->slot[find_slot(dict, text, length)] - 1 : -1;
}

static ny_status rehash(ny_ctx *ctx, ny_dict *dict) {
    ny_status st = NY_OK;
    int64_t slots = dict->slots ? 2 * dict->slots : SLOTS_MIN;
    int32_t *slot = NULL;
    NY_NEW(ctx, slot, slots);
    ny_free(dict->slot);
    dict->slot = slot;
    dict->slots = slots;
    for (int64_t k = 0; k < dict->count; k++)
        slot[find_slot(dict, dict->text + dict->start[k], dict->length[k])] = (int32_t)(k + 1);
done:
    return st;
}

ny_status ny_dict_add(ny_ctx *ctx, ny_dict *dict, const char *text, int64_t length, int64_t *number) {
    ny_status st = NY_OK;
    *number = ny_dict_find(dict, text, length);
    if (*number >= 0) return st;
    NY_CHECK(ctx, dict->count < INT32_MAX - 1, NY_ERR_DATA, "more than %d distinct texts", INT32_MAX - 1);
    if (2 * (dict->count + 1) > dict->slots) NY_TRY(rehash(ctx, dict));
    NY_GROW(ctx, dict->start, dict->starts, dict->count + 1);
    NY_GROW(ctx, dict->length, dict->lengths, dict->count + 1);
    NY_GROW(ctx, dict->text, dict->text_room, dict->text_size + length + 1);
    int64_t s = find_slot(dict, text, length);
    memcpy(dict->text + dict->text_size, text, (size_t)length);
    dict->text[dict->text_size + length] = 0;
    dict->start[dict->count] = dict->text_size;
    dict->length[dict->count] = length;
    dict->text_size += length + 1;
    *number = dict->count++;
    dict->slot[s] = (int32_t)dict->count;
done:
    return st;
}
