/* fuzz_npy.c: libFuzzer target of the npy reader; see fuzz_data.h. */
#include "fuzz_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    return fuzz_data("npy", bytes, size);
}
