/* option_rules.h: every option that is given is used, refused or mentioned. Its row in options.h says where it has no
 * effect, and what happens then.
 *
 * A rule is looked at as soon as its facts are known (its stage): from the options alone, from the format of the file,
 * from the data, from the plan of the training, or from the model that is to predict. Options that have an effect
 * wherever they are accepted say so: tests/unit/test_option_rules.c fails where an option has no rule.
 *
 * Words that leave the choice to the program or ask for nothing ("auto", "none", "no") are never without effect. */
#ifndef NY_OPTION_RULES_H
#define NY_OPTION_RULES_H

#include "options.h"

typedef enum {
    NY_BY_OPTIONS = 1,
    NY_BY_FILE = 2,
    NY_BY_DATA = 4,
    NY_BY_PLAN = 8,
    NY_BY_MODEL = 16
} ny_rule_stage; /* a set of bits */

typedef enum { NY_ALWAYS_USED, NY_REFUSED, NY_MENTIONED } ny_verdict;

typedef struct ny_facts {
    const ny_options *options;
    const char *option; /* the one that is asked about */
    /* What the names in the options stand for. */
    const char *own_option; /* the option that only losses like the machine's have; NULL: none */
    const char *(*machines)(const char *option, char text[NY_NAMES_TEXT]); /* those whose losses have it */
    bool link;      /* the machine has probabilities of its own */
    bool bias;      /* the machine has a bias unless options say otherwise */
    bool corners;   /* the loss has corners that can be rounded */
    bool bandwidth; /* a kernel to choose from has a bandwidth */
    bool poly;      /* poly is one of them */
    bool folds;     /* the criterion has folds */
    bool gradient;  /* the criterion has a gradient */
    bool walks;     /* the criterion finds C along the regularization path */
    bool width;     /* a bandwidth is to be found */
    bool searches;  /* a bandwidth or C is */
    bool exact;     /* an exact machine may come after the low-rank one */
    bool path;      /* a path, and not a training */
    /* The file. */
    ny_format_option format;
    /* The data, or the model. */
    int64_t classes; /* 0: regression */
    /* The plan. */
    bool all_rows; /* every row is a landmark, or they span all that the kernel can */
} ny_facts;

typedef struct ny_option_rule {
    unsigned stages; /* when it is looked at */
    ny_verdict verdict;
    bool (*idle)(const ny_facts *facts); /* it has no effect; NULL: it always has one */
    const char *message; /* {name} stands for the text of an option, {*} for the name of this one, {machines} for those
                            that have it; or why it is used */
} ny_option_rule;

/* Rule k of the option in row `option` of ny_options_row; NULL past the last one of either. */
const ny_option_rule *ny_option_rule_at(int64_t option, int64_t k);

typedef ny_status ny_mention_fn(void *user, const char *message);
/* Looks at the rules of a stage, for the options of a command (NULL: all). A refusal is NY_ERR_USAGE; what is mentioned
 * goes to the log as a warning, and to `mention` unless that is NULL. */
ny_status ny_option_rules_apply(ny_ctx *ctx, ny_rule_stage stage, const char *command, const ny_facts *facts,
                                ny_mention_fn *mention, void *user);

#endif
