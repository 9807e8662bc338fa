/* status.c: the texts of the codes, and the message in the context. It needs no memory. */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ctx.h"

const char *ny_status_text(ny_status status) {
    static const char *const text[] = {
#define X(code, words) [NY_##code] = words,
        NY_STATUS_LIST(X)
#undef X
    };
    return (size_t)status < sizeof text / sizeof *text ? text[status] : "unknown status";
}

ny_status ny_error(ny_ctx *ctx, ny_status code, const char *format, ...) {
    if (!ctx) return code;
    char text[NY_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    static atomic_flag busy = ATOMIC_FLAG_INIT; /* machines trained side by side share the context */
    while (atomic_flag_test_and_set(&busy)) continue;
    memcpy(ctx->message, text, sizeof text);
    atomic_flag_clear(&busy);
    return code;
}

ny_status ny_error_prefix(ny_ctx *ctx, ny_status code, const char *format, ...) {
    if (ctx) {
        char old[NY_MESSAGE_MAX];
        memcpy(old, ctx->message, sizeof old);
        va_list args;
        va_start(args, format);
        int used = vsnprintf(ctx->message, sizeof ctx->message, format, args);
        va_end(args);
        if (used >= 0 && used < NY_MESSAGE_MAX)
            snprintf(ctx->message + used, sizeof ctx->message - (size_t)used, "%.*s", NY_MESSAGE_MAX - 1 - used, old);
    }
    return code;
}
