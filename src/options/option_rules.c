/* option_rules.c: what the rules in the rows of options.h ask, and their messages. */
#include "option_rules.h"

#include <stdio.h>
#include <string.h>

#include "base/ctx.h"

/* ---- where an option has no effect ---------------------------------------------------------------------------- */

static bool in_libsvm(const ny_facts *f) {
    return f->format == NY_FORMAT_LIBSVM;
}

static bool mean_in_libsvm(const ny_facts *f) {
    return in_libsvm(f) && f->options->missing == NY_MISSING_MEAN;
}

static bool not_csv(const ny_facts *f) {
    return f->format != NY_FORMAT_CSV;
}

static bool no_header(const ny_facts *f) {
    return f->format != NY_FORMAT_CSV && f->options->header == NY_HEADER_YES;
}

static bool no_corners(const ny_facts *f) {
    return !f->corners &&
           !(ny_is(f->option, "hinge") && f->options->hinge == NY_HINGE_SMOOTH); /* which other losses are, too */
}

static bool no_bias(const ny_facts *f) {
    return f->options->bias == NY_BIAS_FREE && !f->bias;
}

static bool not_penalised(const ny_facts *f) {
    return f->options->bias != NY_BIAS_PENALISED;
}

static bool not_its_own(const ny_facts *f) {
    return !f->own_option || !ny_is(f->own_option, f->option);
}

static bool no_poly(const ny_facts *f) {
    return !f->poly;
}

static bool few_classes(const ny_facts *f) {
    return f->classes <= 2;
}

static bool apart(const ny_facts *f) {
    return f->classes > 2 && f->options->machines_share == NY_SHARE_NO;
}

static bool active_apart(const ny_facts *f) {
    return apart(f) && f->options->expansion == NY_EXPANSION_ACTIVE;
}

static bool regression(const ny_facts *f) {
    return !f->classes;
}

static bool classes(const ny_facts *f) {
    return f->classes > 0;
}

/* The machine's own probabilities decide (see confidence.c), not its outputs one by one. */
static bool linked(const ny_facts *f) {
    const ny_options *o = f->options;
    bool own = o->proba_method == NY_PROBA_LINK || (o->proba_method == NY_PROBA_AUTO && ny_is(o->multiclass, "ovo"));
    return f->classes > 2 && f->link && own;
}

static bool posterior_unread(const ny_facts *f) {
    return f->classes > 0 && f->options->proba_method != NY_PROBA_POSTERIOR;
}

static bool not_cg(const ny_facts *f) {
    return f->options->solver != NY_SOLVER_CG;
}

static bool no_exact(const ny_facts *f) {
    return !f->exact;
}

static bool all_rows(const ny_facts *f) {
    return f->all_rows && !ny_options_exact(f->options); /* then landmarks precondition and select */
}

static bool gives_way(const ny_facts *f) {
    return f->options->fold_file[0] && !f->folds;
}

static bool error_of_numbers(const ny_facts *f) {
    return !f->classes && !ny_options_by_loss(f->options);
}

/* A path whose kernel and bandwidth are given does not search; --rank auto and several numbers of landmarks do. */
static bool path_is_fixed(const ny_facts *f) {
    const ny_options *o = f->options;
    bool several = o->landmarks.candidates || o->landmarks.number == NY_GROW || o->rank == NY_AUTO;
    return f->path && !f->width && !several && !ny_is_auto(o->kernel);
}

static bool no_validation(const ny_facts *f) {
    return !f->path && !ny_is(f->options->criterion, "holdout");
}

static bool folds_of_holdout(const ny_facts *f) {
    return ny_is(f->options->criterion, "holdout");
}

static bool folds_twice(const ny_facts *f) {
    return f->options->fold_file[0];
}

static bool judges_another(const ny_facts *f) {
    return ny_is(f->options->criterion, "fbif") && !f->all_rows && !ny_options_exact(f->options);
}

/* --compare-criteria shows cv beside it, and rows in passes are judged by cv. */
static bool no_folds(const ny_facts *f) {
    const ny_options *o = f->options;
    return !f->folds && !ny_is_auto(o->criterion) && !o->compare_criteria && o->stream != NY_STREAM_YES;
}

static bool no_bandwidth(const ny_facts *f) {
    return !f->bandwidth;
}

static bool range_of_none(const ny_facts *f) {
    const ny_range *range = &f->options->bandwidth;
    return f->bandwidth && ny_is(f->options->search, "none") && range->hi > range->lo;
}

static bool no_annealing(const ny_facts *f) {
    return !ny_is(f->options->search, "csa") || !f->searches || path_is_fixed(f);
}

static bool no_selection(const ny_facts *f) {
    return !f->options->select_inputs;
}

static bool not_followed(const ny_facts *f) {
    return ny_is(f->options->search, "gradient") && !f->gradient && !f->path;
}

static bool counts_have_no_slope(const ny_facts *f) {
    return ny_is(f->options->search, "gradient") && !ny_options_by_loss(f->options);
}

/* C is found along the path where it is to be found and the search does not bring one. */
static bool not_walked(const ny_facts *f) {
    bool brings = ny_is(f->options->search, "csa") || ny_is(f->options->search, "gradient");
    return !f->path && (!f->walks || !f->options->C.is_auto || brings);
}

/* One C for several outputs is tried, not walked to. */
static bool walked_in_vain(const ny_facts *f) {
    ny_select_on_option by = f->options->select_on;
    bool counts = by == NY_SELECT_ON_ERROR || by == NY_SELECT_ON_MSE_ERROR; /* of C */
    return !f->path && f->classes > 2 && counts && !ny_is(f->options->multiclass, "ovo");
}

static bool no_relevance(const ny_facts *f) {
    return !f->options->ard && !f->options->select_inputs;
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

#define ALWAYS(why) \
    { 0, NY_ALWAYS_USED, NULL, why }
#define REFUSED(stages, idle, message) \
    { stages, NY_REFUSED, idle, message }
#define MENTIONED(stages, idle, message) \
    { stages, NY_MENTIONED, idle, message }
#define OF_LOSS "--{*} is for --machine {machines}, and this is {machine}: leave it out"
#define OF_ONE " looks at one machine, and with --machines-share no each output is another: use --machines-share yes"
#define CSA "--{*} is for --search csa where --bandwidth or --C is to be found: leave it out"
#define X(type, field, name, argument, initial, lo, hi, commands, group, help, ...) {__VA_ARGS__},
#define C(field, name, words, initial, commands, group, help, ...) {__VA_ARGS__},

enum { MOST = 3 }; /* rules of an option */
static const ny_option_rule table[][MOST] = {NY_OPTION_LIST(X, C)};

const ny_option_rule *ny_option_rule_at(int64_t option, int64_t k) {
    return ny_options_row(option) && k < MOST && table[option][k].message ? &table[option][k] : NULL;
}

/* ---- at work -------------------------------------------------------------------------------------------------- */

/* Given, and not to say that the program may choose or that nothing is wanted. */
static bool asked_for(const ny_options *options, const ny_option_row *row) {
    static const char *const nothing[] = {"", "auto", "none", "no"};
    const char *text = ny_options_get(options, row->name);
    bool otherwise = ny_is(text, "no") && ny_is(row->initial, "yes"); /* which asks for something */
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (ny_is(text, nothing[i]) && !otherwise) return false;
    return ny_options_given(options, row->name) && !(ny_is(text, "0") && ny_is(row->initial, "0"));
}

static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return true;
    return false;
}

/* What {name} stands for in a message about facts->option. */
static const char *word_for(const ny_facts *facts, const char *name, char text[NY_NAMES_TEXT]) {
    if (ny_is(name, "*")) return facts->option;
    if (ny_is(name, "machines")) return facts->machines(facts->option, text);
    return ny_options_get(facts->options, name);
}

/* The message with its {names} replaced. */
static void write_message(const ny_facts *facts, const char *message, char text[NY_MESSAGE_MAX]) {
    size_t used = 0;
    while (*message && used + 1 < NY_MESSAGE_MAX) {
        const char *end = *message == '{' ? strchr(message, '}') : NULL;
        char name[64], names[NY_NAMES_TEXT];
        if (!end) {
            text[used++] = *message++;
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)(end - message - 1), message + 1);
        int length = snprintf(text + used, NY_MESSAGE_MAX - used, "%s", word_for(facts, name, names));
        used += (size_t)length < NY_MESSAGE_MAX - used ? (size_t)length : NY_MESSAGE_MAX - used - 1;
        message = end + 1;
    }
    text[used] = 0;
}

ny_status ny_option_rules_apply(ny_ctx *ctx, ny_rule_stage stage, const char *command, const ny_facts *facts,
                                ny_mention_fn *mention, void *user) {
    ny_status st = NY_OK;
    const ny_option_rule *rule;
    const ny_option_row *row;
    ny_facts asked = *facts;
    char text[NY_MESSAGE_MAX];
    for (int64_t i = 0; (row = ny_options_row(i)); i++)
        for (int64_t k = 0; (rule = ny_option_rule_at(i, k)); k++) {
            if (!(rule->stages & stage) || (command && !has_word(row->commands, command))) continue;
            if (!asked_for(facts->options, row)) continue;
            asked.option = row->name;
            if (!rule->idle(&asked)) continue;
            write_message(&asked, rule->message, text);
            NY_CHECK(ctx, rule->verdict != NY_REFUSED, NY_ERR_USAGE, "%s", text);
            ny_log(ctx, NY_LOG_WARNING, "%s", text);
            if (mention) NY_TRY(mention(user, text));
        }
done:
    return st;
}
