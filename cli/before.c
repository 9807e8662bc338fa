/* before.c: what must be looked at before the libraries start. When OpenBLAS is loaded it takes a buffer of 128 MB of
 * address space for each processor, and tries for ever where one cannot be had (ulimit -v, ulimit -d): no main is ever
 * reached. Functions in .preinit_array run before those of the libraries. They may rely on nothing that a library sets
 * up, so this one makes system calls only. */
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli.h"

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* which have their own ideas of address space */

enum { SPARE = 8 << 20, VARIABLES = 4096, MOST = 1000 };

static const long BUFFER = 128 << 20;

static bool there_is_room(long bytes) {
    long block = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block < 0) return false;
    syscall(SYS_munmap, block, bytes);
    return true;
}

static const char NAME[] = "OMP_NUM_THREADS=";

static const char *given(char **environment) {
    for (char **v = environment; *v; v++)
        if (strncmp(*v, NAME, sizeof NAME - 1) == 0) return *v + sizeof NAME - 1;
    return "";
}

/* The buffers that OpenBLAS will take: one for each processor, or as many as OMP_NUM_THREADS says. */
static long buffers(char **environment) {
    unsigned long set[128];
    long bytes = syscall(SYS_sched_getaffinity, 0, sizeof set, set), processors = 0, threads = 0;
    for (long i = 0; i < bytes / (long)sizeof *set; i++) processors += __builtin_popcountl(set[i]);
    for (const char *digit = given(environment); *digit >= '0' && *digit <= '9' && threads < MOST; digit++)
        threads = 10 * threads + (*digit - '0');
    if (threads > 0 && threads < processors) return threads;
    return processors > 0 ? processors : 1;
}

static void refuse(void) {
    static const char text[] =
        "nysel: the address space is too small for OpenBLAS, which needs 134 MB more: raise the "
        "limit (ulimit -v, ulimit -d, prlimit)\n";
    syscall(SYS_write, STDERR_FILENO, text, sizeof text - 1);
    syscall(SYS_exit_group, EXIT_FAILED);
}

/* Where there is no room for all buffers the program starts once more, with as many threads as there is room for: each
 * needs one buffer of those that OpenBLAS takes now, and one of those that it takes when it is called. */
static void look_for_room(int argc, char **argv, char **environment) {
    static char variable[32], *changed[VARIABLES + 2];
    (void)argc;
    long wanted = buffers(environment), threads = wanted - 1;
    int count = 0;
    if (there_is_room(2 * wanted * BUFFER + SPARE)) return;
    if (!there_is_room(BUFFER + SPARE)) refuse();
    if (wanted == 1) return; /* there is none for the second, which does not matter before it is needed */
    while (threads > 1 && !there_is_room(2 * threads * BUFFER + SPARE)) threads--;
    for (char **v = environment; *v && count < VARIABLES; v++)
        if (strncmp(*v, NAME, sizeof NAME - 1) != 0) changed[count++] = *v;
    char *end = stpcpy(variable, NAME);
    for (long unit = MOST; unit > 0; unit /= 10)
        if (threads >= unit) *end++ = (char)('0' + threads / unit % 10);
    changed[count] = variable;
    syscall(SYS_execve, "/proc/self/exe", argv, changed);
    refuse();
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = look_for_room;

#endif
