/* ctx.c: the context: callbacks, cancellation, clocks and memory readings. */
#include "ctx.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "cgroup.h"

const char *ny_version(void) {
    return NYSEL_VERSION;
}

ny_ctx *ny_ctx_new(void) {
    return ny_alloc(NULL, 1, sizeof(ny_ctx));
}

void ny_ctx_free(ny_ctx *ctx) {
    ny_free(ctx);
}

ny_ctx ny_ctx_under(const ny_ctx *above) {
    return (ny_ctx){.memory = above->memory, .deadline = above->deadline, .reserve = above->reserve, .above = above};
}

const char *ny_message(const ny_ctx *ctx) {
    return ctx ? ctx->message : "";
}

void ny_on_log(ny_ctx *ctx, ny_log_fn *fn, void *user) {
    if (!ctx) return;
    ctx->log = fn;
    ctx->log_user = user;
}

void ny_on_progress(ny_ctx *ctx, ny_progress_fn *fn, void *user) {
    if (!ctx) return;
    ctx->progress = fn;
    ctx->progress_user = user;
}

void ny_cancel(ny_ctx *ctx) {
    if (ctx) atomic_store(&ctx->cancelled, 1);
}

double ny_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool ny_should_stop(ny_ctx *ctx) {
    if (ctx->grace > 0) return ny_now() > ctx->grace;
    if (ctx->above && atomic_load(&ctx->above->cancelled)) return true;
    return atomic_load(&ctx->cancelled) || (ctx->deadline > 0 && ny_now() > ctx->deadline - ctx->reserve);
}

void ny_stop_take(ny_ctx *ctx) {
    ctx->stopped = true;
    ctx->grace = INFINITY;
}

void ny_stop_grace(ny_ctx *ctx, double until) {
    if (ctx->stopped) ctx->grace = until;
}

void ny_stop_forget(ny_ctx *ctx) {
    ctx->stopped = false;
    ctx->grace = ctx->reserve = 0;
}

void ny_log(ny_ctx *ctx, ny_level level, const char *format, ...) {
    if (!ctx->log) return;
    char text[NY_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ctx->log(ctx->log_user, level, text);
}

void ny_progress(ny_ctx *ctx, const char *stage, double done, double total, double seconds_left) {
    if (!ctx->progress) return;
    double now = ny_now();
    if (now - ctx->progress_last < 0.05 && done < total) return;
    ctx->progress_last = now;
    ctx->progress(ctx->progress_user, stage, done, total, seconds_left);
}

/* Not ru_maxrss where it can be helped: that begins with the size of the process that started this one. */
int64_t ny_peak_bytes(void) {
    int64_t peak_kb = ny_read_number("/proc/self/status", "VmHWM:");
    struct rusage usage;
    if (peak_kb > 0) return peak_kb * 1024;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss * 1024 : 0;
}

/* MemAvailable of /proc/meminfo, lowered to what the control groups leave. */
int64_t ny_available_bytes(void) {
    int64_t free_kb = ny_read_number("/proc/meminfo", "MemAvailable:"), limit = ny_cgroup_memory("");
    int64_t bytes = free_kb > 0 ? free_kb * 1024 : (int64_t)sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGE_SIZE);
    return limit < bytes ? limit : bytes;
}
