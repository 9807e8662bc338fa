/* picture.c: the decision regions of a two-input classifier as text: a glyph for each class's region, a letter for
 * each training point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { WIDTH = 56, HEIGHT = 18, POINTS = 150, STYLES = 6 };

static const char *const region_unicode[STYLES] = {" ", "░", "▒", "▓", "·", ":"};
static const char *const region_ascii[STYLES] = {" ", ".", ":", "-", "'", "`"};
static const char *const point_glyph[STYLES] = {"o", "x", "+", "*", "#", "@"};
static const char *const colour[STYLES] = {"\033[34m", "\033[31m", "\033[32m", "\033[35m", "\033[33m", "\033[36m"};

typedef struct picture {
    double *x, *y; /* n: the training points */
    int *k;        /* n: their class */
    int64_t n;
    double lo[2], hi[2];          /* the window */
    double value[WIDTH * HEIGHT]; /* class predicted at each cell, row by row from the top */
    int point[WIDTH * HEIGHT];    /* class of the training point drawn there, or -1 */
} picture;

static int class_of(const ny_model *model, const char *label) {
    for (int64_t k = 0; k < ny_model_classes(model); k++)
        if (strcmp(ny_model_label(model, k), label) == 0) return (int)k;
    return 0;
}

static void read_points(picture *p, const ny_model *model, const ny_data *data) {
    for (p->n = 0; p->n < ny_data_rows(data); p->n++) {
        double x[2];
        const char *label = ny_data_row(data, p->n, x);
        p->x[p->n] = x[0];
        p->y[p->n] = x[1];
        p->k[p->n] = class_of(model, label ? label : "");
    }
}

static void window(picture *p) {
    for (int a = 0; a < 2; a++) {
        const double *v = a == 0 ? p->x : p->y;
        p->lo[a] = p->hi[a] = v[0];
        for (int64_t i = 1; i < p->n; i++) {
            p->lo[a] = fmin(p->lo[a], v[i]);
            p->hi[a] = fmax(p->hi[a], v[i]);
        }
        double margin = 0.05 * (p->hi[a] - p->lo[a]) + 1e-12;
        p->lo[a] -= margin;
        p->hi[a] += margin;
    }
}

static bool predict_cells(cli_job *job, picture *p, const ny_model *model) {
    static double x[WIDTH * HEIGHT * 2];
    for (int r = 0; r < HEIGHT; r++) {
        for (int c = 0; c < WIDTH; c++) {
            double *at = x + 2 * (r * WIDTH + c);
            at[0] = p->lo[0] + (c + 0.5) / WIDTH * (p->hi[0] - p->lo[0]);
            at[1] = p->hi[1] - (r + 0.5) / HEIGHT * (p->hi[1] - p->lo[1]);
        }
    }
    ny_data *cells = NULL;
    ny_status status = ny_data_from_rows(job->ctx, WIDTH * HEIGHT, 2, x, NULL, &cells);
    if (status == NY_OK) status = ny_predict(job->ctx, model, cells, job->options, p->value, NULL, NULL);
    ny_data_free(cells);
    cli_progress_clear(&job->progress);
    return status == NY_OK;
}

static void place_points(picture *p) {
    memset(p->point, -1, sizeof p->point);
    int64_t step = p->n > POINTS ? p->n / POINTS : 1; /* too many would hide the regions */
    for (int64_t i = 0; i < p->n; i += step) {
        int c = (int)((p->x[i] - p->lo[0]) / (p->hi[0] - p->lo[0]) * WIDTH);
        int r = (int)((p->hi[1] - p->y[i]) / (p->hi[1] - p->lo[1]) * HEIGHT);
        p->point[r * WIDTH + c] = p->k[i] % STYLES;
    }
}

static void print_cells(const picture *p) {
    bool colours = cli_colour(stdout);
    const char *const *region = cli_unicode() ? region_unicode : region_ascii;
    for (int cell = 0; cell < WIDTH * HEIGHT; cell++) {
        int point = p->point[cell], k = point >= 0 ? point : (int)p->value[cell] % STYLES;
        if (cell % WIDTH == 0) printf("\n    ");
        if (colours) fputs(colour[k], stdout);
        fputs(point >= 0 ? point_glyph[k] : region[k], stdout);
        if (colours) fputs("\033[0m", stdout);
    }
}

static void print_legend(const ny_model *model) {
    printf("\n    points and regions:");
    const char *const *region = cli_unicode() ? region_unicode : region_ascii;
    for (int64_t k = 0; k < ny_model_classes(model) && k < STYLES; k++)
        printf("  %s [%s] %s", point_glyph[k], region[k], ny_model_label(model, k));
    printf("\n");
}

void cli_picture(cli_job *job, const ny_model *model, const ny_data *data) {
    if (ny_data_inputs(data) != 2 || ny_model_classes(model) < 2) return;
    size_t n = (size_t)ny_data_rows(data);
    picture *p = calloc(1, sizeof *p);
    if (!p) return;
    p->x = calloc(n, sizeof *p->x);
    p->y = calloc(n, sizeof *p->y);
    p->k = calloc(n, sizeof *p->k);
    if (p->x && p->y && p->k) {
        read_points(p, model, data);
        window(p);
        if (predict_cells(job, p, model)) {
            place_points(p);
            print_cells(p);
            print_legend(model);
        }
    }
    free(p->x);
    free(p->y);
    free(p->k);
    free(p);
}
