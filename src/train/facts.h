/* facts.h: what the option rules (options/option_rules.h) are asked of, from options, data and plan. */
#ifndef NY_FACTS_H
#define NY_FACTS_H

#include "model/record.h"
#include "options/option_rules.h"

/* What the names in the options stand for; the rest is 0. */
ny_facts ny_facts_of(const ny_options *options);

/* The rules of a stage; what is mentioned becomes a note of the record, too. */
ny_status ny_facts_judge(ny_ctx *ctx, ny_rule_stage stage, const ny_facts *facts, ny_record *record);

#endif
