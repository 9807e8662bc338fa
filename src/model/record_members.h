/* record_members.h: tables of the record's members: writer, reader, reports and tests follow them. */
#ifndef NY_RECORD_MEMBERS_H
#define NY_RECORD_MEMBERS_H

#include "json_util.h"
#include "record.h"

extern const ny_member ny_record_members[];
extern const ny_member ny_bound_members[], ny_comparison_members[], ny_solver_members[], ny_descent_members[],
    ny_measures_members[], ny_weighing_members[], ny_judged_members[], ny_evaluation_members[], ny_inferred_members[];

/* Newton's method as files and reports tell of it; NULL when out of memory. */
json_t *ny_descent_json(ny_ctx *ctx, const ny_descent *descent);

#endif
