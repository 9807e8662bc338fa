/* test_option_rules.c: every option has a rule; and for every rule one run where the option has no
 * effect, which must be refused or mentioned, and one where it has, which must say nothing of it. */
#include "options/option_rules.h"

#include "model/record.h"
#include "with_ctx.h"

/* What a rule is tried with. Options are written "name=value name=value"; the data are a demo set, or the text of a
 * file (with a newline), or nothing where the options alone tell. */
typedef struct sample {
    const char *option, *command;
    const char *idle_data, *idle, *used_data, *used;
} sample;

#define QUICK "kernel=rbf search=none bandwidth=1 C=1 "
static const char csv[] = "a,b,w,y\n1,2,1,0\n2,1,1,1\n3,5,1,0\n5,3,1,1\n";
static const char libsvm[] = "1 1:1 2:3\n0 1:2 2:1\n1 1:4\n0 1:1 2:5\n";

/* In the order of options.h. */
static const sample samples[] = {
    {"target", "train", libsvm, "target=1", csv, "target=y"},
    {"header", "train", libsvm, "header=yes", csv, "header=yes"},
    {"missing", "train", libsvm, "missing=mean", csv, "missing=mean"},
    {"categorical", "train", libsvm, "categorical=1", csv, "categorical=a"},
    {"ignore", "train", libsvm, "ignore=1", csv, "ignore=a"},
    {"na", "train", libsvm, "na=-9", csv, "na=-9"},
    {"decimal", "train", libsvm, "decimal=,", csv, "decimal=."},
    {"weight-column", "train", libsvm, "weight-column=1", csv, "weight-column=w"},
    {"bias", "train", "", "machine=krr bias=free", "", "machine=svm bias=free"},
    {"bias-penalty", "train", "", "bias-penalty=2", "", "bias=penalised bias-penalty=2"},
    {"hinge", "train", "", "machine=logistic hinge=exact", "", "machine=svm hinge=exact"},
    {"hinge-width", "train", "", "machine=lssvm hinge-width=0.1", "", "machine=svr hinge-width=0.1"},
    {"epsilon", "train", "", "machine=huber epsilon=0.1", "", "machine=svr epsilon=0.1"},
    {"delta", "train", "", "machine=svr delta=0.1", "", "machine=huber delta=0.1"},
    {"quantiles", "train", "", "quantiles=0.5", "", "machine=quantile quantiles=0.5"},
    {"degree", "path", "", "kernel=rbf degree=3", "", "kernel=auto degree=3"},
    {"coef0", "train", "", "kernel=linear coef0=0", "", "kernel=poly coef0=0"},
    {"multiclass", "train", "banana", QUICK "multiclass=moc", "waveform", QUICK "multiclass=moc"},
    {"decoding", "train", "banana", QUICK "decoding=loss", "waveform", QUICK "decoding=loss"},
    {"decoding", "train", "waveform", QUICK "machine=logistic multiclass=ovo decoding=loss", "waveform",
     QUICK "machine=logistic multiclass=ovo decoding=loss proba-method=calibration"},
    {"machines-share", "train", "banana", QUICK "machines-share=no", "waveform", QUICK "machines-share=no"},
    {"class-weight", "train", "sinc", QUICK "class-weight=balanced", "banana", QUICK "class-weight=balanced"},
    {"proba-method", "train", "sinc", QUICK "proba-method=calibration", "banana", QUICK "proba-method=calibration"},
    {"posterior", "train", "banana", QUICK "posterior=yes", "sinc", QUICK "posterior=yes"},
    {"prior", "train", "sinc", QUICK "prior=uniform", "banana", QUICK "prior=uniform"},
    {"solver-tol", "train", "", "solver=direct solver-tol=1e-4", "", "solver=cg solver-tol=1e-4"},
    {"solver-iterations", "train", "", "landmarks=100 solver-iterations=9", "", "solver-iterations=9"},
    {"landmark-method", "train", "banana", QUICK "landmarks=all landmark-method=uniform", "banana",
     QUICK "landmarks=20 landmark-method=uniform"},
    {"expansion", "train", "waveform", QUICK "machine=svm expansion=active machines-share=no", "waveform",
     QUICK "machine=svm expansion=landmarks machines-share=no"},
    {"bound", "train", "waveform", QUICK "bound=yes machines-share=no", "waveform", QUICK "bound=yes"},
    {"criterion", "train", "banana", QUICK "criterion=gcv fold-file=FOLDS", "banana",
     QUICK "criterion=cv fold-file=FOLDS"},
    {"criterion", "train", "banana", QUICK "criterion=fbif landmarks=20", "banana",
     QUICK "criterion=fbif landmarks=20 solver=cg"},
    {"select-on", "train", "sinc", QUICK "select-on=mse,error", "banana", QUICK "select-on=error"},
    {"select-on", "path", "", "kernel=rbf bandwidth=2 select-on=error", "", "kernel=rbf select-on=error"},
    {"compare-criteria", "train", "waveform", QUICK "compare-criteria=yes machines-share=no", "waveform",
     QUICK "compare-criteria=yes"},
    {"folds", "train", "", "folds=5 fold-file=FOLDS", "", "folds=5"},
    {"folds", "train", "", "folds=10 criterion=loo", "", "folds=10 criterion=bif"},
    {"folds", "train", "", "folds=10 criterion=holdout", "", "folds=10 criterion=cv"},
    {"validation", "train", "", "validation=0.2 criterion=cv", "", "validation=0.2 criterion=holdout"},
    {"validation", "train", "", "validation=0.2 criterion=holdout fold-file=FOLDS", "",
     "validation=0.2 criterion=holdout"},
    {"search", "path", "", "kernel=linear search=grid", "", "kernel=linear search=grid rank=auto"},
    {"search", "train", "", "search=gradient machine=l2svm", "", "search=gradient machine=l2svm criterion=span"},
    {"search", "train", "", "search=gradient machine=l2svm criterion=span select-on=error", "",
     "search=gradient machine=l2svm criterion=smooth-span"},
    {"bandwidth", "train", "", "kernel=linear bandwidth=3", "", "kernel=auto bandwidth=3"},
    {"bandwidth", "train", "", "search=none bandwidth=-2:2:1", "", "search=none bandwidth=2"},
    {"csa-evaluations", "train", "", "search=grid csa-evaluations=5", "", "search=csa csa-evaluations=5"},
    {"csa-starters", "train", "", QUICK "search=csa csa-starters=5", "", "search=csa C=1 csa-starters=5"},
    {"simplex-evaluations", "path", "", "simplex-evaluations=0", "", "search=csa simplex-evaluations=0"},
    {"select-threshold", "train", "", "ard=yes select-threshold=2", "", "select-inputs=yes select-threshold=2"},
    {"ard-by", "train", "", "ard-by=loo", "", "select-inputs=yes ard-by=loo"},
    {"lambda-min", "train", "", "machine=l2svm criterion=span C=1 lambda-min=1e-6", "",
     "machine=l2svm criterion=span lambda-min=1e-6"},
    {"lambda-min", "train", "waveform", "machine=l2svm criterion=span select-on=error lambda-min=1e-6", "banana",
     "machine=l2svm criterion=span select-on=error lambda-min=1e-6"},
    {"interval", "test", "banana", "interval=0.9", "sinc", "interval=0.9"},
    {"id", "predict", libsvm, "id=1", csv, "id=a"},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static char heard[4096]; /* the log of one run */

static void listen(void *user, ny_level level, const char *message) {
    (void)user;
    size_t used = strlen(heard);
    if (level == NY_LOG_WARNING) snprintf(heard + used, sizeof heard - used, "%s\n", message);
}

static ny_options *parse(const char *text, const char *folds) {
    char copy[256], *save = NULL;
    ny_options *o = ny_options_new(ctx);
    assert_non_null(o);
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        *value++ = 0;
        must(ctx, ny_options_set(ctx, o, word, strcmp(value, "FOLDS") == 0 ? folds : value));
    }
    return o;
}

/* What became of one run: its status, and what was said of it in the log, in an error and in the notes. */
typedef struct outcome {
    ny_status status;
    char said[4096], notes[4096];
} outcome;

static outcome run(const ny_option_rule *rule, const char *command, const char *what, const char *text,
                   const char *folds) {
    outcome out = {.status = NY_OK};
    ny_options *o = parse(text, folds), *plain = ny_options_new(ctx);
    ny_data *data = NULL, *again = NULL;
    ny_model *model = NULL;
    heard[0] = 0;
    if (rule->stages == NY_BY_OPTIONS) {
        out.status = ny_options_check(ctx, o, command);
    } else if (rule->stages == NY_BY_FILE) {
        char *file = write_file(".txt", what, -1);
        out.status = ny_data_read(ctx, file, o, NULL, &data);
        remove(file);
        free(file);
    } else {
        must(ctx, ny_data_generate(ctx, what, 60, 1, &data));
        if (rule->stages != NY_BY_MODEL) out.status = ny_train(ctx, data, o, &model);
        else must(ctx, ny_train(ctx, data, plain, &model));
        for (int64_t i = 0; model && i < model->record->notes; i++)
            snprintf(out.notes + strlen(out.notes), sizeof out.notes - strlen(out.notes), "%s\n",
                     model->record->note[i]);
        if (rule->stages & NY_BY_MODEL) { /* a prediction for a file */
            must(ctx, ny_data_write_csv(ctx, data, "ny_test_rules.csv"));
            if (rule->stages != NY_BY_MODEL && out.status != NY_OK) must(ctx, ny_train(ctx, data, plain, &model));
            ny_status st = ny_data_read(ctx, "ny_test_rules.csv", o, model, &again);
            if (rule->stages != NY_BY_MODEL) assert_int_equal(st, out.status);
            out.status = st;
            remove("ny_test_rules.csv");
        }
    }
    snprintf(out.said, sizeof out.said, "%s%s", heard, out.status == NY_OK ? "" : ny_message(ctx));
    ny_model_free(model);
    ny_data_free(data);
    ny_data_free(again);
    ny_options_free(o);
    ny_options_free(plain);
    return out;
}

static void test_every_rule(void **state) {
    (void)state;
    char numbers[400] = "", name[64];
    for (int i = 0; i < 60; i++) snprintf(numbers + strlen(numbers), sizeof numbers - strlen(numbers), "%d\n", i % 3);
    char *folds = write_file(".folds", numbers, -1);
    const ny_option_rule *rule;
    const ny_option_row *option;
    int at = 0;
    ny_on_log(ctx, listen, NULL);
    for (int64_t i = 0, k = 0; (option = ny_options_row(i)); k = rule ? k + 1 : (i++, 0)) {
        rule = ny_option_rule_at(i, k);
        if (!rule || rule->verdict == NY_ALWAYS_USED) continue;
        assert_true(at < SAMPLES);
        const sample *s = &samples[at++];
        assert_string_equal(s->option, option->name);
        snprintf(name, sizeof name, "--%s", s->option);
        outcome idle = run(rule, s->command, s->idle_data, s->idle, folds);
        if (idle.status != (rule->verdict == NY_REFUSED ? NY_ERR_USAGE : NY_OK))
            fail_msg("%s: status %d: %s", s->idle, (int)idle.status, idle.said);
        if (!strstr(idle.said, name)) fail_msg("%s: nothing is said of %s: '%s'", s->idle, name, idle.said);
        if (strpbrk(idle.said, "{}") || strstr(idle.said, "(null)")) fail_msg("no such name in '%s'", idle.said);
        if (rule->verdict == NY_MENTIONED && rule->stages != NY_BY_FILE && !strstr(idle.notes, name))
            fail_msg("%s: no note tells of %s", s->idle, name);
        outcome used = run(rule, s->command, s->used_data, s->used, folds);
        if (used.status != NY_OK || strstr(used.said, name) || strstr(used.notes, name))
            fail_msg("%s: status %d: '%s%s'", s->used, (int)used.status, used.said, used.notes);
    }
    assert_int_equal(at, SAMPLES);
    ny_on_log(ctx, NULL, NULL);
    remove(folds);
    free(folds);
}

/* An option without a rule fails here: docs/adding.md tells what to do. */
static void test_every_option_has_a_rule(void **state) {
    (void)state;
    const ny_option_row *option;
    const ny_option_rule *rule;
    for (int64_t i = 0; (option = ny_options_row(i)); i++) {
        int64_t always = 0, rules = 0;
        for (int64_t k = 0; (rule = ny_option_rule_at(i, k)); k++) {
            assert_true((rule->idle == NULL) == (rule->verdict == NY_ALWAYS_USED));
            assert_true(rule->message[0]);
            *(rule->verdict == NY_ALWAYS_USED ? &always : &rules) += 1;
        }
        if (always + rules == 0) fail_msg("--%s has no rule in its row of src/options/options.h", option->name);
        if (always > 1 || (always && rules)) fail_msg("--%s has an effect always, and has a rule", option->name);
    }
}

/* A default that is given counts as given, a copy keeps that, and words that ask for nothing are never refused. */
static void test_given(void **state) {
    (void)state;
    static const char *const commands[] = {"train", "path", "demo", "predict", "test", "info"};
    static const char *const nothing[] = {"auto", "none", "no"};
    const ny_option_row *row;
    ny_options *o = ny_options_new(ctx), *copy = NULL;
    for (int64_t i = 0; (row = ny_options_row(i)); i++) assert_false(ny_options_given(o, row->name));
    assert_false(ny_options_given(o, "nosuch"));
    must(ctx, ny_options_set(ctx, o, "folds", "10"));
    assert_int_equal(ny_options_set(ctx, o, "rank", "x"), NY_ERR_USAGE);
    must(ctx, ny_options_copy(ctx, o, &copy));
    for (int64_t i = 0; (row = ny_options_row(i)); i++)
        assert_int_equal(ny_options_given(copy, row->name), strcmp(row->name, "folds") == 0);
    ny_options_free(copy);
    ny_options_free(o);
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        ny_options *words = ny_options_new(ctx);
        for (int64_t i = 0; (row = ny_options_row(i)); i++)
            for (size_t w = 0; w < 3; w++)
                if (strcmp(row->initial, nothing[w]) == 0) must(ctx, ny_options_set(ctx, words, row->name, nothing[w]));
        must(ctx, ny_options_check(ctx, words, commands[k]));
        ny_options_free(words);
    }
}

/* --folds and --rank-tol are used by default runs, too: a number of folds asks for cross-validation, and a tolerance
 * for a factor that can be cut. */
static void test_used(void **state) {
    (void)state;
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "sinc", 120, 1, &data));
    ny_model *m = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", "folds", "5", NULL));
    assert_string_equal(m->record->criterion, "cv");
    assert_int_equal(m->record->folds, 5);
    ny_model_free(m);
    m = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", NULL));
    assert_string_equal(m->record->criterion, "loo");
    assert_int_equal(m->record->origin.landmarks, 120);
    ny_model_free(m);
    m = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", "rank-tol", "0.1", NULL));
    assert_true(m->record->origin.landmarks < 120); /* without it there are as many as rows */
    ny_model_free(m);
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_option_has_a_rule), cmocka_unit_test(test_given),
                                       cmocka_unit_test(test_every_rule), cmocka_unit_test(test_used)};
    return cmocka_run_group_tests_name("option rules", tests, setup, teardown);
}
