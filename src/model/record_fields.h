/* record_fields.h: tables of the record's fields: writer, reader, reports and tests follow them. */
#ifndef NY_RECORD_FIELDS_H
#define NY_RECORD_FIELDS_H

#include "json_fields.h"
#include "json_util.h"
#include "record.h"

extern const ny_field ny_record_fields[];
/* What the run took, which differs from run to run: it is not written, so that equal trainings give equal files, and
 * read where older versions wrote it. `seconds` of the other tables is written as null. */
extern const ny_field ny_cost_fields[];
extern const ny_field ny_bound_fields[], ny_comparison_fields[], ny_solver_fields[], ny_descent_fields[],
    ny_measures_fields[], ny_judged_fields[], ny_evaluation_fields[];

/* Newton's method as files and reports tell of it; NULL when out of memory. */
json_t *ny_descent_json(ny_ctx *ctx, const ny_descent *descent);

#endif
