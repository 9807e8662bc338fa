/* landmark.c: the table of landmark methods. */
#include "landmark.h"

#include <string.h>

static const ny_landmark_method *const table[] = {
#define X(name) &ny_landmark_##name,
    NY_LANDMARK_LIST(X)
#undef X
};

const ny_landmark_method *ny_landmark_at(int64_t index) {
    return index >= 0 && index < (int64_t)(sizeof table / sizeof *table) ? table[index] : NULL;
}

const ny_landmark_method *ny_landmark_find(const char *name) {
    for (int64_t i = 0; ny_landmark_at(i); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

void ny_landmarks_clear(ny_landmarks *landmarks) {
    ny_matrix_clear(&landmarks->Z);
    ny_free(landmarks->G);
    ny_free(landmarks->L);
    *landmarks = (ny_landmarks){0};
}
