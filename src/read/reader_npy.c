/* reader_npy.c: numpy's array files: n rows of p numbers, or one column of n. The last column is the target unless
 * --target numbers another. Nothing is allocated by what the header promises before the bytes are there. Positions in
 * messages are row and column, from 1.
 *
 * The file is read in pieces, not mapped into memory: mapped pages count as resident memory, and the point of reading
 * in passes is that memory does not grow with the rows. Rows in C order come through the source's window; of an array
 * in Fortran order (columns are contiguous) a plain file gives a piece of each column at its place, and anything else
 * (gzip, standard input) must be held as a whole. */
#include <string.h>

#include "npy_header.h"
#include "reader.h"

enum { TILE = 1 << 20, TILE_ROWS = 1 << 12 }; /* bytes and rows of a tile of an array in Fortran order */

typedef struct npy_state {
    ny_array_info a;
    int64_t row;      /* the next one */
    int64_t offset;   /* of the first number in the file */
    double *field;    /* columns: one row */
    bool tiled;       /* Fortran order of a plain file */
    char *tile;       /* columns x tile_room items, column by column */
    int64_t tile_row; /* the first one in the tile */
    int64_t tile_rows, tile_room;
    bool told; /* that there is more behind the array */
} npy_state;

bool ny_looks_npy(const ny_source *s) {
    return s->size - s->at >= 6 && memcmp(s->bytes + s->at, "\x93NUMPY", 6) == 0;
}

static ny_status cut_short(ny_ctx *ctx, const ny_reader *r, const ny_array_info *a, int64_t there) {
    return ny_error(ctx, NY_ERR_DATA, "%s: cut short: %lld rows of %lld columns take %lld bytes, %lld are there",
                    r->source->name, (long long)a->rows, (long long)a->columns,
                    (long long)a->rows * a->columns * a->item, (long long)there);
}

/* Holds `count` bytes, the ones from byte `before` of the array on; their lack is an error. */
static ny_status hold(ny_ctx *ctx, const ny_reader *r, const ny_array_info *a, int64_t count, int64_t before) {
    int64_t have;
    ny_status st = ny_source_need(ctx, r->source, count, &have);
    if (st != NY_OK || have == count) return st;
    return cut_short(ctx, r, a, before + have);
}

/* ---- Fortran order of a plain file -------------------------------------------------------------------------- */

/* The next rows: a piece of each column. */
static ny_status load_tile(ny_ctx *ctx, const ny_reader *r, npy_state *s) {
    ny_status st = NY_OK;
    const ny_array_info *a = &s->a;
    int64_t left = a->rows - s->row, rows = s->tile_room < left ? s->tile_room : left;
    for (int64_t f = 0; f < a->columns; f++) {
        int64_t at = (f * a->rows + s->row) * a->item, got;
        NY_TRY(
            ny_source_at(ctx, r->source, s->offset + at, s->tile + f * s->tile_room * a->item, rows * a->item, &got));
        if (got < rows * a->item) return cut_short(ctx, r, a, at + got);
    }
    s->tile_row = s->row;
    s->tile_rows = rows;
done:
    return st;
}

static ny_status open_tiles(ny_ctx *ctx, const ny_reader *r, npy_state *s) {
    ny_status st = NY_OK;
    const ny_array_info *a = &s->a;
    int64_t there = r->source->total - s->offset, width = a->columns * a->item;
    if (there < a->rows * width) return cut_short(ctx, r, a, there);
    s->tile_room = TILE / width < 1 ? 1 : TILE / width;
    if (s->tile_room > TILE_ROWS) s->tile_room = TILE_ROWS;
    NY_NEW_RAW(ctx, s->tile, s->tile_room * width);
    s->tiled = true;
done:
    return st;
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

/* The next row's numbers in s->field. */
static ny_status get_row(ny_ctx *ctx, const ny_reader *r, npy_state *s) {
    ny_status st = NY_OK;
    const ny_array_info *a = &s->a;
    int64_t width = a->columns * a->item, i = s->row, stride = 1;
    if (s->tiled && s->row >= s->tile_row + s->tile_rows) NY_TRY(load_tile(ctx, r, s));
    if (!a->fortran && r->source->size - r->source->at < width) NY_TRY(hold(ctx, r, a, width, i * width));
    const char *p = r->source->bytes + r->source->at;
    if (s->tiled) p = s->tile + (i - s->tile_row) * a->item, stride = s->tile_room;
    else if (a->fortran) p += i * a->item, stride = a->rows;
    else r->source->at += width;
    ny_array_numbers(a, p, stride, s->field);
    s->row++;
done:
    return st;
}

static ny_status open_npy(ny_ctx *ctx, ny_reader *r, const ny_options *options) {
    ny_status st = NY_OK;
    npy_state *s = r->state;
    ny_array_info *a = &s->a;
    NY_TRY(ny_array_info_read(ctx, r->source, a));
    s->offset = r->source->taken - (r->source->size - r->source->at);
    if (a->fortran && ny_source_has_places(r->source)) NY_TRY(open_tiles(ctx, r, s));
    else NY_TRY(hold(ctx, r, a, (a->fortran ? a->rows : 1) * a->columns * a->item, 0));
    r->whole = a->fortran && !s->tiled;
    NY_NEW_RAW(ctx, s->field, a->columns);
    NY_TRY(ny_layout_init(ctx, r->source->name, a->columns, NULL, &r->layout));
    NY_TRY(ny_reader_frame_init(ctx, r, options, NULL));
    if (!r->source->zip && r->source->total / a->item / a->columns >= a->rows) r->expected = a->rows; /* as promised */
done:
    return st;
}

static ny_status restart_npy(ny_ctx *ctx, ny_reader *r) {
    ny_status st = NY_OK;
    npy_state *s = r->state;
    ny_array_info again;
    ny_frame_restart(&r->frame);
    s->row = s->tile_rows = s->tile_row = 0;
    NY_TRY(ny_array_info_read(ctx, r->source, &again));
    NY_CHECK(ctx, again.rows == s->a.rows && again.columns == s->a.columns && again.item == s->a.item, NY_ERR_DATA,
             "%s has changed while it was in use", r->source->name);
    if (s->a.fortran && !s->tiled) NY_TRY(hold(ctx, r, &s->a, s->a.rows * s->a.columns * s->a.item, 0));
done:
    return st;
}

/* After the last row. */
static ny_status look_behind(ny_ctx *ctx, const ny_reader *r, npy_state *s) {
    ny_status st = NY_OK;
    int64_t bytes = s->a.rows * s->a.columns * s->a.item, more;
    if (s->tiled) more = r->source->total - s->offset > bytes;
    else {
        if (s->a.fortran) r->source->at += bytes;
        NY_TRY(ny_source_need(ctx, r->source, 1, &more));
    }
    if (more && !s->told) ny_log(ctx, NY_LOG_WARNING, "%s: bytes behind the array are not used", r->source->name);
    s->told = true;
done:
    return st;
}

static ny_status next_npy(ny_ctx *ctx, ny_reader *r, int64_t max_rows) {
    ny_status st = NY_OK;
    npy_state *s = r->state;
    ny_frame *frame = &r->frame;
    frame->expected = r->expected < max_rows ? r->expected : max_rows;
    while (frame->count.held < max_rows && s->row < s->a.rows) {
        NY_TRY(get_row(ctx, r, s));
        NY_TRY(ny_frame_numbers(ctx, frame, s->row, s->field));
    }
    if (s->row == s->a.rows) {
        NY_TRY(look_behind(ctx, r, s));
        r->ended = true;
    }
    ny_reader_frame_count(r);
done:
    return st;
}

static void close_npy(ny_reader *r) {
    npy_state *s = r->state;
    ny_free(s->field);
    ny_free(s->tile);
}

static double bytes_npy(const ny_reader *r) {
    const npy_state *s = r->state;
    return (double)s->a.rows * (double)s->a.columns * sizeof(double);
}

const ny_file_format ny_format_npy = {
    .state = sizeof(npy_state),
    .open = open_npy,
    .restart = restart_npy,
    .next = next_npy,
    .check = ny_reader_frame_check,
    .learn = ny_reader_frame_learn,
    .take = ny_reader_frame_take,
    .recycle = ny_reader_frame_recycle,
    .close = close_npy,
    .bytes = bytes_npy,
};
