/* rng.c: Philox 4x32-10 (Salmon et al. 2011, from Random123). counter = (block, purpose, index), key = seed. */
#include "rng.h"

#include <Random123/philox.h>
#include <math.h>

uint64_t ny_rng_bits(ny_rng *rng) {
    if (rng->has_spare) {
        rng->has_spare = 0;
        return rng->spare;
    }
    philox4x32_ctr_t c = {{(uint32_t)rng->counter, (uint32_t)(rng->counter >> 32), rng->purpose, rng->index}};
    philox4x32_key_t k = {{(uint32_t)rng->key, (uint32_t)(rng->key >> 32)}};
    philox4x32_ctr_t r = philox4x32(c, k);
    rng->counter++;
    rng->spare = (uint64_t)r.v[3] << 32 | r.v[2];
    rng->has_spare = 1;
    return (uint64_t)r.v[1] << 32 | r.v[0];
}

uint64_t ny_rng_hash(uint64_t seed, ny_purpose purpose, uint64_t number) {
    ny_rng rng = ny_rng_make(seed, purpose, 0);
    rng.counter = number;
    return ny_rng_bits(&rng);
}

double ny_rng_uniform(ny_rng *rng) {
    return (double)(ny_rng_bits(rng) >> 11) * 0x1p-53;
}

/* Box-Muller, one of the pair: the stream stays a plain function of the counter. */
double ny_rng_normal(ny_rng *rng) {
    double u = 1.0 - ny_rng_uniform(rng), v = ny_rng_uniform(rng);
    return sqrt(-2.0 * log(u)) * cos(2.0 * M_PI * v);
}

/* Rejects the few values that would favour small results. */
int64_t ny_rng_below(ny_rng *rng, int64_t n) {
    uint64_t m = (uint64_t)n, limit = UINT64_MAX - UINT64_MAX % m, bits;
    do bits = ny_rng_bits(rng);
    while (bits >= limit);
    return (int64_t)(bits % m);
}

void ny_rng_shuffle(ny_rng *rng, int64_t *v, int64_t n) {
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = ny_rng_below(rng, i + 1), t = v[i];
        v[i] = v[j];
        v[j] = t;
    }
}
