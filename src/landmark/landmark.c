/* landmark.c: the table of landmark methods. */
#include "landmark.h"

#include "base/family.h"

#define X(name) &ny_landmark_##name,
NY_FAMILY(ny_landmark_method, ny_landmark, NY_LANDMARK_LIST(X))
#undef X

/* Measured with 30 (few landmarks) and 10 splits on ten sets, the same splits for all
 * (bench/papers/landmark_methods.py). With few landmarks the rows that the factor does not explain yet, which pivoted
 * Cholesky prefers, are outliers that say little about the others: raetsch_image, 130 of 1540 rows, 6.1% test error
 * against 4.1% for uniform ones; letter, 1075 of 4000, 9.7% against 9.4%. With many, nothing but the rest is left to
 * choose from, and choosing it well pays: raetsch_image, 800 rows, 2.8% against 3.6%. */
const ny_landmark_method *ny_landmark_auto(int64_t m, int64_t n) {
    return 5 * m < 2 * n ? &ny_landmark_uniform : &ny_landmark_rpcholesky;
}

void ny_landmarks_clear(ny_landmarks *landmarks) {
    ny_matrix_clear(&landmarks->Z);
    ny_free(landmarks->G);
    ny_free(landmarks->L);
    ny_free(landmarks->weight);
    ny_matrix_clear(&landmarks->redundant);
    *landmarks = (ny_landmarks){0};
}
