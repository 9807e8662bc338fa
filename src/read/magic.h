/* magic.h: files that are not ours to read, by their first bytes. */
#ifndef NY_MAGIC_H
#define NY_MAGIC_H

#include "source.h"

/* NY_ERR_DATA that says what the file is and what helps; NY_OK when nothing is known against it. */
ny_status ny_magic_refuse(ny_ctx *ctx, const ny_source *source);

#endif
