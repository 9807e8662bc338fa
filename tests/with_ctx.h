/* with_ctx.h: for tests that have one context for all: made before them, freed after them. */
#ifndef NY_TEST_WITH_CTX_H
#define NY_TEST_WITH_CTX_H

#include "support.h"

static ny_ctx *ctx;

static int setup(void **state) {
    (void)state;
    return (ctx = ny_ctx_new()) ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    ny_ctx_free(ctx);
    return 0;
}

#endif
