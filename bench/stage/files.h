/* files.h: files to measure reading with, and what bare reading takes. */
#ifndef NY_BENCH_FILES_H
#define NY_BENCH_FILES_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ctx.h"
#include "base/rng.h"

enum { FILE_BUFFER = 1 << 20 };

/* `columns` normal numbers and a target of -1 or 1, rows until the file has `bytes`; its size, -1 on failure. */
static long write_csv(const char *path, int digits, int columns, long bytes) {
    FILE *file = fopen(path, "w");
    if (!file) return -1;
    for (int c = 0; c < columns; c++) fprintf(file, "x%d,", c + 1);
    fprintf(file, "target\n");
    for (uint32_t i = 0; ftell(file) < bytes; i++) {
        ny_rng rng = ny_rng_make(1, NY_RNG_DATA, i);
        for (int c = 0; c < columns; c++) fprintf(file, "%.*g,", digits, ny_rng_normal(&rng) * 10);
        fprintf(file, "%d\n", ny_rng_uniform(&rng) < 0.5 ? 1 : -1);
    }
    long size = ftell(file);
    return fclose(file) == 0 ? size : -1;
}

/* Seconds of bare read() calls; each block is handed to `look` unless that is NULL. */
static double read_bare(const char *path, void (*look)(const char *, ssize_t)) {
    static char buffer[FILE_BUFFER];
    ssize_t got;
    double start = ny_now();
    int fd = open(path, O_RDONLY);
    while ((got = read(fd, buffer, sizeof buffer)) > 0)
        if (look) look(buffer, got);
    close(fd);
    return ny_now() - start;
}

#endif
