/* option_rules.c: the table, what its rows ask, and their messages. */
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

static bool not_its_own(const ny_facts *f) {
    return !f->own_option || !ny_is(f->own_option, f->option);
}

static bool no_poly(const ny_facts *f) {
    return !f->poly;
}

static bool few_classes(const ny_facts *f) {
    return f->classes <= 2;
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
    return !f->classes && f->options->select_on == NY_SELECT_ON_ERROR;
}

/* A path whose kernel and bandwidth are given does not search; --rank auto and several numbers of landmarks do. */
static bool path_is_fixed(const ny_facts *f) {
    const ny_options *o = f->options;
    bool several = o->landmarks.candidates || o->landmarks.number == NY_GROW || o->rank == NY_AUTO;
    return f->path && !f->width && !several && !ny_is_auto(o->kernel);
}

static bool folds_twice(const ny_facts *f) {
    return f->options->fold_file[0];
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

static bool no_relevance(const ny_facts *f) {
    return !f->options->ard && !f->options->select_inputs;
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

#define ALWAYS(option, why) \
    { option, 0, NY_ALWAYS_USED, NULL, why }
#define REFUSED(option, stages, idle, message) \
    { option, stages, NY_REFUSED, idle, message }
#define MENTIONED(option, stages, idle, message) \
    { option, stages, NY_MENTIONED, idle, message }
#define OF_LOSS "--{*} is for --machine {machines}, and this is {machine}: leave it out"
#define CSA "--{*} is for --search csa where --bandwidth or --C is to be found: leave it out"

static const ny_option_rule table[] = {
    ALWAYS("test", "the finished model is tested"),
    ALWAYS("format", "auto is a guess"),
    REFUSED("target", NY_BY_FILE, in_libsvm,
            "--target does not apply to libsvm text, where each line begins with the target"),
    REFUSED("header", NY_BY_FILE, no_header, "--header yes is for CSV, and this is another format: leave it out"),
    MENTIONED("missing", NY_BY_FILE, mean_in_libsvm,
              "--missing mean has no effect on libsvm text, where an input that is not written is 0"),
    REFUSED("categorical", NY_BY_FILE, in_libsvm,
            "--categorical does not apply to libsvm text, where every input is a number: leave it out"),
    REFUSED("ignore", NY_BY_FILE, in_libsvm,
            "--ignore does not apply to libsvm text, which has no columns: leave it out"),
    REFUSED("na", NY_BY_FILE, in_libsvm,
            "--na does not apply to libsvm text, where an input that is not written is 0: leave it out"),
    REFUSED("decimal", NY_BY_FILE, not_csv, "--decimal is for CSV, and this is another format: leave it out"),
    REFUSED("weight-column", NY_BY_FILE, in_libsvm, "--weight-column does not apply to libsvm text"),
    ALWAYS("task", "auto is a guess; what does not suit the target is refused by ny_data_task"),
    ALWAYS("machine", "what does not suit the task is refused by ny_prepare_task"),
    REFUSED("hinge", NY_BY_OPTIONS, no_corners,
            "--hinge {hinge} is for losses with corners ({machines}), and this is {machine}: leave it out"),
    REFUSED("hinge-width", NY_BY_OPTIONS, no_corners,
            "--hinge-width is for losses with corners ({machines}), and this is {machine}: leave it out"),
    REFUSED("epsilon", NY_BY_OPTIONS, not_its_own, OF_LOSS),
    REFUSED("delta", NY_BY_OPTIONS, not_its_own, OF_LOSS),
    REFUSED("quantiles", NY_BY_OPTIONS, not_its_own, OF_LOSS),
    ALWAYS("kernel", "there is always one"),
    REFUSED("degree", NY_BY_OPTIONS, no_poly,
            "--degree is for --kernel poly (or auto, which tries it), and this is {kernel}: leave it out"),
    REFUSED("coef0", NY_BY_OPTIONS, no_poly,
            "--coef0 is for --kernel poly (or auto, which tries it), and this is {kernel}: leave it out"),
    ALWAYS("scale", "of every input"),
    MENTIONED("multiclass", NY_BY_DATA, few_classes,
              "--multiclass {multiclass} has no effect: it is for three classes or more"),
    MENTIONED("decoding", NY_BY_DATA, few_classes,
              "--decoding {decoding} has no effect: it is for three classes or more"),
    MENTIONED("decoding", NY_BY_DATA, linked,
              "--decoding {decoding} has no effect: the {machine} machine's own probabilities decide (--proba-method "
              "calibration leaves it to the decoding)"),
    REFUSED("class-weight", NY_BY_DATA, regression,
            "--class-weight {class-weight}: there are no classes in a regression"),
    MENTIONED("proba-method", NY_BY_DATA, regression,
              "--proba-method {proba-method} has no effect: there are no classes in a regression"),
    MENTIONED(
        "posterior", NY_BY_DATA, posterior_unread,
        "--posterior yes is for predict --interval, which is for numbers, and the target holds classes: leave it out"),
    REFUSED("prior", NY_BY_DATA | NY_BY_MODEL, regression, "--prior {prior}: there are no classes in a regression"),
    ALWAYS("solver", "what does not go with cg is refused by ny_prepare_task"),
    REFUSED("solver-tol", NY_BY_OPTIONS, not_cg,
            "--solver-tol is for --solver cg, and this is {solver}: leave it out, or use --solver cg"),
    REFUSED("solver-iterations", NY_BY_OPTIONS, no_exact,
            "--solver-iterations is for the exact machine, and with the other options there is none: leave it out, or "
            "use --solver cg"),
    ALWAYS("landmarks", "the plan goes by it"),
    MENTIONED("landmark-method", NY_BY_PLAN, all_rows,
              "--landmark-method {landmark-method} has no effect on the final machine: it has every row, or all that "
              "the kernel can tell of them"),
    ALWAYS("rank", "the factor is cut; what cannot be is refused by ny_prepare_task"),
    ALWAYS("rank-tol", "the factor is cut; machines without a factor are not made where it is given"),
    ALWAYS("rank-floor", "the factor is cut; machines without a factor are not made where it is given"),
    ALWAYS("expansion", "what does not go with the machine is refused by ny_prepare_task"),
    ALWAYS("bound", "what has none is refused by ny_prepare_task"),
    MENTIONED("criterion", NY_BY_DATA, gives_way,
              "--criterion {criterion} has no folds and gives way to cv, as --fold-file asks for folds"),
    MENTIONED("select-on", NY_BY_DATA, error_of_numbers,
              "--select-on error has no effect: there are no classes in a regression"),
    REFUSED("select-on", NY_BY_OPTIONS, path_is_fixed,
            "--select-on has no effect: kernel and bandwidth of the path are given, and nothing is selected"),
    ALWAYS("compare-criteria", "what has none to compare is refused by ny_prepare_task"),
    REFUSED("folds", NY_BY_OPTIONS, folds_twice,
            "--folds {folds} and --fold-file both say which folds there are: leave one of them out"),
    REFUSED("folds", NY_BY_OPTIONS, no_folds,
            "--folds {folds} asks for folds, and --criterion {criterion} has none: use --criterion cv, or leave one of "
            "them out"),
    ALWAYS("fold-file", "criteria without folds give way to cv"),
    REFUSED("search", NY_BY_OPTIONS, path_is_fixed,
            "--search {search} has no effect: kernel and bandwidth of the path are given, and nothing is selected"),
    REFUSED("bandwidth", NY_BY_OPTIONS, no_bandwidth,
            "--bandwidth {bandwidth}: the {kernel} kernel has no bandwidth: leave it out, or use another --kernel"),
    REFUSED("bandwidth", NY_BY_OPTIONS, range_of_none,
            "--bandwidth {bandwidth} is a range, and --search none looks at one value only: give a number, or use "
            "--search profile, grid or csa"),
    ALWAYS("C", "tried, or found"),
    REFUSED("csa-evaluations", NY_BY_OPTIONS, no_annealing, CSA),
    REFUSED("csa-starters", NY_BY_OPTIONS, no_annealing, CSA),
    REFUSED("simplex-evaluations", NY_BY_OPTIONS, no_annealing, CSA),
    ALWAYS("ard", "every kernel has scales"),
    ALWAYS("select-inputs", "every kernel has scales"),
    REFUSED("select-threshold", NY_BY_OPTIONS, no_selection,
            "--select-threshold {select-threshold} is for --select-inputs: give that too, or leave it out"),
    REFUSED("ard-by", NY_BY_OPTIONS, no_relevance,
            "--ard-by {ard-by} is for --ard or --select-inputs: give one of them, or leave it out"),
    ALWAYS("lambda-max", "where the path begins"),
    ALWAYS("lambda-min", "where the path ends"),
    ALWAYS("radius-margin", "a column of the path"),
    REFUSED("interval", NY_BY_MODEL, classes, "--interval is for numbers, and the model predicts classes: use --proba"),
    ALWAYS("outside", "every model that knows its range has limits"),
    REFUSED("id", NY_BY_FILE, in_libsvm, "--id does not apply to libsvm text, which has no columns: leave it out"),
    ALWAYS("seed", "of every random choice"),
    ALWAYS("threads", "a limit"),
    ALWAYS("block-rows", "every kernel matrix is made in tiles"),
    ALWAYS("memory", "a limit"),
    ALWAYS("stream", "what cannot be read twice is refused by ny_data_open"),
    ALWAYS("time-limit", "a limit"),
};

const ny_option_rule *ny_option_rule_at(int64_t index) {
    return index >= 0 && index < (int64_t)(sizeof table / sizeof *table) ? &table[index] : NULL;
}

/* ---- at work -------------------------------------------------------------------------------------------------- */

/* Given, and not to say that the program may choose or that nothing is wanted. */
static bool asked_for(const ny_options *options, const ny_option_row *row) {
    static const char *const nothing[] = {"", "auto", "none", "no"};
    const char *text = ny_options_get(options, row->name);
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (ny_is(text, nothing[i])) return false;
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
    for (int64_t r = 0; (rule = ny_option_rule_at(r)); r++)
        for (int64_t i = 0; (rule->stages & stage) && (row = ny_options_row(i)); i++) {
            if (!ny_is(rule->option, row->name)) continue;
            if ((command && !has_word(row->commands, command)) || !asked_for(facts->options, row)) continue;
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
