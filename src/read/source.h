/* source.h: the bytes of a file, of standard input or of memory, gzipped or not, through one growing window. */
#ifndef NY_SOURCE_H
#define NY_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"

struct z_stream_s;

typedef struct ny_source {
    char *name;   /* for messages */
    char *bytes;  /* the window; bytes[size] is always 0 */
    int64_t at;   /* the first byte still wanted */
    int64_t size; /* bytes held */
    int64_t room;
    bool ended; /* nothing follows what is held */
    int fd;
    bool borrowed;          /* fd is not ours to close */
    int64_t total;          /* bytes of the file as it lies on disk; 0 where that is unknown */
    int64_t taken;          /* of them, read so far */
    bool rewindable;        /* can be read again from its beginning */
    const char *stage;      /* what progress calls the reading; NULL: it is not told */
    struct z_stream_s *zip; /* NULL for plain bytes */
    char *packed;           /* gzipped bytes waiting for zip */
    bool zip_done;          /* the last gzip member is complete */
    const char *memory;     /* bytes of ny_source_memory still to come */
    int64_t memory_left, memory_size, piece;
} ny_source;

/* "-" is standard input. Gzip is told by its first two bytes, not by the name. */
ny_status ny_source_open(ny_ctx *ctx, const char *path, ny_source *source);
/* `size` bytes of memory, which must outlive the source; never unzipped. They come in pieces of `piece` bytes, so that
 * tests can have every record cross a border; 0 is all at once. */
ny_status ny_source_memory(ny_ctx *ctx, const char *name, const void *bytes, int64_t size, int64_t piece,
                           ny_source *source);
/* Frees the window, closes the file unless it is borrowed, and zeroes the struct. */
void ny_source_close(ny_source *source);

/* Back to the first byte. The file stays the one that was opened, even if another has taken its name. */
ny_status ny_source_rewind(ny_ctx *ctx, ny_source *source);
/* Whether ny_source_at can be used: the bytes are those of a plain file. */
bool ny_source_has_places(const ny_source *source);
/* The file's `count` bytes from `offset` on, without moving; a lack of them is left to the caller (*got). */
ny_status ny_source_at(ny_ctx *ctx, const ny_source *source, int64_t offset, char *to, int64_t count, int64_t *got);

/* Forgets what lies before `at`, then holds at least one byte more, or sets `ended`. Moves the bytes: pointers into
 * the window are void afterwards. */
ny_status ny_source_more(ny_ctx *ctx, ny_source *source);
/* Tries to hold `count` bytes from `at` on; *have is how many there are, fewer only at the end of the file. */
ny_status ny_source_need(ny_ctx *ctx, ny_source *source, int64_t count, int64_t *have);
/* The next line [*begin, *end) without its LF or CR LF, and moves behind it; *found is false at the end. */
ny_status ny_source_line(ny_ctx *ctx, ny_source *source, const char **begin, const char **end, bool *found);

#endif
