/* bench_read.c: how fast text becomes data. Writes about 100 MB of CSV to /tmp, reads it with ny_data_open and, for
 * comparison, with bare read() calls (the file is in the page cache for both), and prints one line per kind of number:
 *
 *     digits,megabytes,rows,columns,seconds,mb_per_s,cpu_mb_per_s,raw_mb_per_s,ratio
 *
 * digits are the significant digits written: 6 is what most files have, 17 what a program writes that keeps doubles.
 * cpu_mb_per_s goes by processor time, which other work on the machine disturbs less. */
#include <time.h>

#include "options/options.h"
#include "table/data.h"
#include "files.h"

enum { COLUMNS = 20, REPEATS = 3 };

static double cpu_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds; *cpu becomes smaller when this took less processor time. */
static double time_open(ny_ctx *ctx, const ny_options *options, const char *path, ny_data **data, double *cpu) {
    ny_data_free(*data);
    *data = NULL;
    double start = ny_now(), cpu_start = cpu_now();
    if (ny_data_open(ctx, path, options, NULL, data) != NY_OK) {
        fprintf(stderr, "bench_read: %s\n", ny_message(ctx));
        exit(1);
    }
    if (cpu_now() - cpu_start < *cpu) *cpu = cpu_now() - cpu_start;
    return ny_now() - start;
}

int main(int argc, char **argv) {
    long bytes = (argc > 1 ? atol(argv[1]) : 100) * 1000000;
    char path[] = "/tmp/ny_bench_read_XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = ny_options_new(ctx);
    ny_data *data = NULL;
    printf("digits,megabytes,rows,columns,seconds,mb_per_s,cpu_mb_per_s,raw_mb_per_s,ratio\n");
    for (int digits = 6; digits <= 17; digits += 11) {
        long size = write_csv(path, digits, COLUMNS, bytes);
        if (size < 0) return 1;
        double raw = read_bare(path, NULL), best = 1e30, cpu = 1e30;
        for (int k = 0; k < REPEATS; k++) {
            double t = time_open(ctx, options, path, &data, &cpu), r = read_bare(path, NULL);
            if (t < best) best = t;
            if (r < raw) raw = r;
        }
        double mb = (double)size / 1e6;
        printf("%d,%.1f,%lld,%d,%.3f,%.0f,%.0f,%.0f,%.3f\n", digits, mb, (long long)ny_data_rows(data), COLUMNS + 1,
               best, mb / best, mb / cpu, mb / raw, raw / best);
    }
    unlink(path);
    ny_data_free(data);
    ny_options_free(options);
    ny_ctx_free(ctx);
    return 0;
}
