/* active.h: the finished machine expanded over the training rows that cost something (--expansion active). */
#ifndef NY_ACTIVE_H
#define NY_ACTIVE_H

#include "model/record.h"
#include "search/selection.h"

/* Puts them in the place of the landmarks. What goes wrong, too little memory included, is a note in the record, and
 * the landmarks stay. */
ny_status ny_active_expand(ny_ctx *ctx, const ny_data *data, const ny_selection *sel, ny_model *model);

#endif
