/* rng.h: counter-based random numbers (Random123's Philox). A stream is keyed by (seed, purpose, index): any
 * part of the program can be rerun alone and gives the same numbers, on any number of threads. */
#ifndef NY_RNG_H
#define NY_RNG_H

#include <stdint.h>

typedef enum {
    NY_RNG_FOLDS = 1,
    NY_RNG_LANDMARKS,
    NY_RNG_ROWS,
    NY_RNG_KMEANS,
    NY_RNG_DATA,
    NY_RNG_SEARCH,
    NY_RNG_TEST,
    NY_RNG_BOUND,
    NY_RNG_PROBES,
    NY_RNG_RESAMPLE
} ny_purpose;

typedef struct ny_rng {
    uint64_t key;
    uint32_t purpose, index;
    uint64_t counter;
    uint64_t spare;
    int has_spare;
} ny_rng;

/* A stream of its own for each purpose and index: streams do not depend on what others have drawn. */
static inline ny_rng ny_rng_make(uint64_t seed, ny_purpose purpose, uint32_t index) {
    return (ny_rng){.key = seed, .purpose = (uint32_t)purpose, .index = index};
}
/* 64 random bits. */
uint64_t ny_rng_bits(ny_rng *rng);
uint64_t ny_rng_hash(uint64_t seed, ny_purpose purpose, uint64_t number); /* random bits that belong to a number */
double ny_rng_uniform(ny_rng *rng);                                       /* [0, 1) */
/* Normal, mean 0, variance 1. */
double ny_rng_normal(ny_rng *rng);
int64_t ny_rng_below(ny_rng *rng, int64_t n); /* 0 .. n-1 without bias */
/* Puts v (n) into random order, all orders equally likely. */
void ny_rng_shuffle(ny_rng *rng, int64_t *v, int64_t n);

#endif
