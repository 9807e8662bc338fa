/* stream.c: the survey and the passes after it, and opening a file as --stream says. */
#include "stream.h"

#include <string.h>

#include "reader.h"

enum { BLOCK_BYTES = 32 << 20, BLOCK_LEAST = 1000, BLOCK_MOST = 20000 }; /* what a model is given at a time */
static const double MEMORY_SHARE = 0.8; /* of what is free, when --memory does not say */

struct ny_stream {
    ny_source source;
    ny_reader reader;
    const ny_data *shell; /* whose stream this is; NULL during the survey */
};

void ny_stream_close(ny_stream *s) {
    if (!s) return;
    ny_reader_close(&s->reader);
    ny_source_close(&s->source);
    ny_free(s);
}

void ny_data_free(ny_data *data) {
    if (!data) return;
    ny_stream_close(data->stream);
    ny_data_clear(data);
    ny_free(data);
}

/* Whether the message names the file, and with it the remedy. */
static bool is_named(const ny_ctx *ctx, const ny_stream *s) {
    return strncmp(ctx->message, s->source.name, strlen(s->source.name)) == 0;
}

/* The file's beginning. */
static ny_status begin(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like,
                       ny_stream **out) {
    ny_status st = NY_OK;
    ny_stream *s = NULL;
    NY_NEW(ctx, s, 1);
    s->source.fd = -1;
    NY_TRY(ny_source_open(ctx, path, &s->source));
    st = ny_reader_open(ctx, &s->source, options, like, &s->reader);
    if (st == NY_ERR_MEMORY && !is_named(ctx, s)) ny_error_prefix(ctx, st, "%s: its first rows: ", s->source.name);
done:
    if (st != NY_OK) ny_stream_close(s);
    else *out = s;
    return st;
}

/* All rows once. What is learnt goes to the data, which own the stream from here on. */
static ny_status survey(ny_ctx *ctx, ny_stream *s, ny_data *shell) {
    ny_status st = NY_OK;
    shell->stream = s;
    NY_CHECK(ctx, s->source.rewindable, NY_ERR_USAGE,
             "%s cannot be read twice, as --stream yes must; save it to a file first, or use --stream no",
             s->source.name);
    NY_CHECK(ctx, !s->reader.whole, NY_ERR_USAGE,
             "%s: a gzipped array in Fortran order cannot be read in passes; gunzip it, or save it in C order "
             "(numpy.ascontiguousarray)",
             s->source.name);
    s->source.stage = "survey";
    NY_TRY(ny_reader_drain(ctx, &s->reader));
    NY_TRY(ny_reader_learn(ctx, &s->reader, shell));
    ny_reader_warn(ctx, &s->reader);
    s->shell = shell;
    s->source.stage = NULL; /* passes belong to a stage of their reader */
    NY_TRY(ny_stream_rewind(ctx, s));
done:
    return st;
}

ny_status ny_stream_rewind(ny_ctx *ctx, ny_stream *s) {
    return ny_reader_restart(ctx, &s->reader);
}

ny_status ny_stream_next(ny_ctx *ctx, ny_stream *s, int64_t max_rows, ny_data *block) {
    ny_status st = NY_OK;
    ny_reader *r = &s->reader;
    int64_t rows = s->shell->rows;
    ny_data_clear(block);
    NY_CHECK(ctx, max_rows > 0, NY_ERR_USAGE, "blocks of %lld rows", (long long)max_rows);
    r->expected = rows - r->count.rows;
    NY_TRY(ny_reader_next(ctx, r, max_rows));
    NY_CHECK(ctx, r->count.rows <= rows && (!r->ended || r->count.rows == rows), NY_ERR_DATA,
             "%s has changed while it was in use: %lld rows at first, now %s", s->source.name, (long long)rows,
             r->count.rows < rows ? "fewer" : "more");
    NY_TRY(ny_reader_take(ctx, r, &s->shell->schema, block));
done:
    if (st != NY_OK) ny_data_clear(block);
    return st;
}

/* ---- opening ------------------------------------------------------------------------------------------------ */

bool ny_stream_wanted(const ny_options *options, double bytes, int64_t available) {
    if (options->stream != NY_STREAM_AUTO) return options->stream == NY_STREAM_YES;
    double memory = options->memory > 0 ? (double)options->memory : MEMORY_SHARE * (double)available;
    return memory > 0 && 2 * bytes > 0.5 * memory;
}

/* auto never streams what cannot be streamed. */
static bool is_wanted(const ny_stream *s, const ny_options *options) {
    bool possible = s->source.rewindable && !s->reader.whole;
    bool asked = options->stream == NY_STREAM_YES;
    return (possible || asked) && ny_stream_wanted(options, s->reader.format->bytes(&s->reader), ny_available_bytes());
}

/* Out of memory: after how many rows, and what would help. */
static ny_status no_room(ny_ctx *ctx, const ny_stream *s, bool whole, const ny_schema *like) {
    bool passes = whole && !like && s->source.rewindable && !s->reader.whole;
    const char *remedy = passes           ? "use --stream yes or raise --memory"
                         : !whole || like ? "raise --memory, or give fewer columns or rows"
                                          : "save it to a plain file, to be read in passes, or raise --memory";
    char text[NY_MESSAGE_MAX];
    memcpy(text, ctx->message, sizeof text);
    return ny_error(ctx, NY_ERR_MEMORY, "%s: after %lld rows: %s: %s", s->source.name, (long long)s->reader.count.rows,
                    text, remedy);
}

/* All rows into memory. Where they could as well come in passes they may take half of what there is, as the training
 * will need as much. */
static ny_status read_whole(ny_ctx *ctx, ny_stream *s, bool possible, ny_data *data) {
    int64_t memory = ctx->memory;
    if (possible) ctx->memory = memory / 2;
    ny_status st = ny_reader_all(ctx, &s->reader, data);
    ctx->memory = memory;
    return st;
}

typedef struct { /* how a file is to be read */
    const ny_options *options;
    const ny_schema *like;         /* NULL: learn it */
    const ny_known_targets *known; /* NULL: targets may be anything */
    bool always;                   /* in passes, whatever the options say */
} how;

static ny_status open_data(ny_ctx *ctx, const char *path, how by, ny_data **out) {
    ny_status st = NY_OK;
    ny_stream *s = NULL;
    ny_data *data = NULL;
    const ny_options *options = by.options;
    const ny_schema *like = by.like;
    *out = NULL;
    NY_TRY(begin(ctx, path, options, like, &s));
    s->reader.target->known = by.known;
    NY_TRY(ny_data_new(ctx, s->source.name, &data));
    bool whole = like || !(by.always || is_wanted(s, options)); /* else the data own the stream */
    bool possible =
        !like && s->source.rewindable && !s->reader.whole && options->stream == NY_STREAM_AUTO && ctx->memory > 0;
    st = whole ? read_whole(ctx, s, possible, data) : survey(ctx, s, data);
    if (st == NY_ERR_MEMORY && whole && possible) { /* there was more to it than its beginning told */
        ny_stream_close(s);
        ny_data_free(data);
        by.always = true;
        return open_data(ctx, path, by, out);
    }
    if (st == NY_ERR_MEMORY && !is_named(ctx, s)) no_room(ctx, s, whole, like);
    if (!whole) s = NULL;
done:
    ny_stream_close(s);
    if (st == NY_OK) *out = data;
    else ny_data_free(data);
    return st;
}

ny_status ny_stream_open(ny_ctx *ctx, const char *path, const ny_options *options, ny_data **shell) {
    return open_data(ctx, path, (how){.options = options, .always = true}, shell);
}

ny_status ny_data_open(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like, ny_data **out) {
    return open_data(ctx, path, (how){.options = options, .like = like}, out);
}

ny_status ny_data_open_judged(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like,
                              const ny_known_targets *known, ny_data **out) {
    return open_data(ctx, path, (how){options, like, known, false}, out);
}

ny_status ny_data_from_source(ny_ctx *ctx, ny_source *source, const ny_options *options, const ny_schema *like,
                              ny_data **out) {
    ny_status st = NY_OK;
    ny_reader reader = {0};
    ny_data *data = NULL;
    *out = NULL;
    NY_TRY(ny_data_new(ctx, source->name, &data));
    NY_TRY(ny_reader_open(ctx, source, options, like, &reader));
    NY_TRY(ny_reader_all(ctx, &reader, data));
done:
    ny_reader_close(&reader);
    if (st == NY_OK) *out = data;
    else ny_data_free(data);
    return st;
}

/* ---- a file for a model ------------------------------------------------------------------------------------- */

struct ny_data_blocks {
    ny_stream *stream;
    int64_t beside;
};

void ny_blocks_close(ny_blocks *blocks) {
    if (!blocks) return;
    ny_stream_close(blocks->stream);
    ny_free(blocks);
}

ny_status ny_blocks_open(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like,
                         ny_blocks **out) {
    ny_status st = NY_OK;
    ny_blocks *blocks = NULL;
    *out = NULL;
    NY_NEW(ctx, blocks, 1);
    NY_TRY(begin(ctx, path, options, like, &blocks->stream));
    ny_frame *frame = &blocks->stream->reader.frame;
    frame->marks = frame->policy == NY_MISSING_DROP;
    *out = blocks;
    blocks = NULL;
done:
    ny_blocks_close(blocks);
    return st;
}

void ny_blocks_beside(ny_blocks *blocks, int64_t numbers) {
    blocks->beside = numbers;
}

/* As many as 32 MB hold, or a quarter of what may be used if that is less. */
static int64_t usual_rows(const ny_ctx *ctx, int64_t numbers) {
    bool little = ctx->memory > 0 && ctx->memory / 4 < BLOCK_BYTES;
    int64_t rows = (little ? ctx->memory / 4 : BLOCK_BYTES) / (int64_t)sizeof(double) / (numbers + 1);
    int64_t least = little ? 1 : BLOCK_LEAST;
    return rows > BLOCK_MOST ? BLOCK_MOST : rows < least ? least : rows;
}

ny_status ny_blocks_next(ny_ctx *ctx, ny_blocks *blocks, int64_t max_rows, ny_data **out) {
    ny_status st = NY_OK;
    ny_reader *r = &blocks->stream->reader;
    ny_data *data = NULL;
    *out = NULL;
    NY_CHECK(ctx, max_rows >= 0, NY_ERR_USAGE, "blocks of %lld rows", (long long)max_rows);
    if (r->ended) return st;
    if (max_rows == 0) max_rows = usual_rows(ctx, r->like->inputs + blocks->beside);
    NY_TRY(ny_reader_next(ctx, r, max_rows));
    if (ny_frame_doomed(&r->frame)) NY_TRY(ny_reader_drain(ctx, r));
    if (r->count.held > 0) {
        NY_TRY(ny_data_new(ctx, r->source->name, &data));
        NY_TRY(ny_reader_learn(ctx, r, data));
        NY_TRY(ny_reader_take(ctx, r, &data->schema, data));
    }
    if (r->ended) ny_reader_warn(ctx, r);
    *out = data;
    data = NULL;
done:
    ny_data_free(data);
    return st;
}
