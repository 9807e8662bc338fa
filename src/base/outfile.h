/* outfile.h: output that is complete or not there: written to a temporary file beside the target, then renamed. */
#ifndef NY_OUTFILE_H
#define NY_OUTFILE_H

#include <stdio.h>

#include "ctx.h"

typedef struct ny_outfile {
    FILE *file;    /* write here */
    char *path;    /* what it will be called */
    char *temp;    /* what it is called now; NULL when written directly */
    bool borrowed; /* standard output: flushed, not closed */
} ny_outfile;

/* "-" is standard output. What is not a regular file (/dev/stdout, /dev/null, a pipe) is written directly. A symbolic
 * link stays: the file it points to is replaced. */
ny_status ny_outfile_open(ny_ctx *ctx, const char *path, ny_outfile *out);
/* Closes and renames; what could not be written (a full disk) is told here, and the temporary file is then removed. */
ny_status ny_outfile_commit(ny_ctx *ctx, ny_outfile *out);
/* Closes and removes the temporary file. Does nothing after a commit or a failed open. */
void ny_outfile_abort(ny_outfile *out);

#endif
