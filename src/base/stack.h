/* stack.h: is there stack enough? A thread of a host may have 128 kB of it, and overrunning it ends the process. */
#ifndef NY_STACK_H
#define NY_STACK_H

#include "ctx.h"

/* NY_ERR_MEMORY when the calling thread has less than what training, prediction and reading need. */
ny_status ny_stack_check(ny_ctx *ctx);

#endif
