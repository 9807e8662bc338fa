/* fuzz_libsvm.c: libFuzzer target of the libsvm reader; see fuzz_data.h. */
#include "fuzz_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    return fuzz_data("libsvm", bytes, size);
}
