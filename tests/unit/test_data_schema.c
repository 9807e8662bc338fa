/* test_data_schema.c: a file read with a model's schema: by name, by position, with unknown categories. */
#include <math.h>

#include "support.h"
#include "table/data.h"

typedef struct like_case {
    const char *what;
    const char *train;          /* the file the schema is learnt from */
    const char *option, *value; /* of its reading */
    const char *text;           /* the file read with it */
    const char *new_option, *new_value;
    const char *message; /* of the failure, behind the file name; NULL: it works */
    int64_t n;
    double x[12];       /* n x inputs */
    const char *target; /* joined by |; NULL: none */
    int64_t unseen;
} like_case;

#define ABY "a,b,y\n1,2,p\n3,4,q\n"
#define COLOUR "c,b,y\nred,2,p\nblue,4,q\n" /* inputs: blue, red, b */

static const like_case cases[] = {
    {"by name", ABY, 0, 0, ABY, 0, 0, 0, 2, {1, 2, 3, 4}, "p|q", 0},
    {"other order", ABY, 0, 0, "y,b,a\np,2,1\n", 0, 0, 0, 1, {1, 2}, "p", 0},
    {"more columns", ABY, 0, 0, "z,b,w,a\nu,2,v,1\n", 0, 0, 0, 1, {1, 2}, NULL, 0},
    {"a header that only the model's names tell", ABY, 0, 0, "b,a\n", 0, 0, " has a header but no rows", 0, {0}, 0, 0},
    {"no target", ABY, 0, 0, "b,a\n2,1\n", 0, 0, 0, 1, {1, 2}, NULL, 0},
    {"target elsewhere", ABY, 0, 0, "b,a,truth\n2,1,q\n", "target", "truth", 0, 1, {1, 2}, "q", 0},
    {"column lacks",
     ABY,
     0,
     0,
     "a,y\n1,p\n",
     0,
     0,
     " has no column \"b\", which the model needs; its columns are a, y",
     0,
     {0},
     0,
     0},
    {"target is an input",
     ABY,
     0,
     0,
     "b,a\n2,1\n",
     "target",
     "a",
     ": column \"a\" is an input of the model",
     0,
     {0},
     0,
     0},
    {"by position", ABY, 0, 0, "1,2\n3,4\n", 0, 0, 0, 2, {1, 2, 3, 4}, NULL, 0},
    {"by position, target last", ABY, 0, 0, "1,2,p\n3,4,p\n", 0, 0, 0, 2, {1, 2, 3, 4}, "p|p", 0},
    {"by position, target told", ABY, 0, 0, "p,1,2\nq,3,4\n", "target", "1", 0, 2, {1, 2, 3, 4}, "p|q", 0},
    {"unnamed model", "1,2,p\n3,4,q\n", 0, 0, "5,6,q\n7,8,q\n", 0, 0, 0, 2, {5, 6, 7, 8}, "q|q", 0},
    {"unnamed model remembers its target",
     "p,1,2\nq,3,4\n",
     "target",
     "1",
     "q,5,6\nq,7,8\n",
     0,
     0,
     0,
     2,
     {5, 6, 7, 8},
     "q|q",
     0},
    {"unnamed model, named file", "1,2,p\n3,4,q\n", 0, 0, "u,v,w\n5,6,q\n", 0, 0, 0, 1, {5, 6}, "q", 0},
    {"too few columns", ABY, 0, 0, "1\n2\n", 0, 0, " has 1 columns; the model was trained on 2 inputs", 0, {0}, 0, 0},
    {"too many columns",
     ABY,
     0,
     0,
     "1,2,3,4,5\n",
     0,
     0,
     " has 5 columns; the model was trained on 2 inputs",
     0,
     {0},
     0,
     0},
    {"weights stay out", "1,0.5,2,p\n3,1,4,q\n", "weight-column", "2", "5,9,6,q\n", 0, 0, 0, 1, {5, 6}, "q", 0},
    {"weights are left out", "1,0.5,2,p\n3,1,4,q\n", "weight-column", "2", "5,6,q\n", 0, 0, 0, 1, {5, 6}, "q", 0},
    {"text for a number",
     ABY,
     0,
     0,
     "a,b\n1,x\n",
     0,
     0,
     ":2:2: 'x' is not a number (column \"b\", which held numbers",
     0,
     {0},
     0,
     0},
    {"categories", COLOUR, 0, 0, "b,c\n1,blue\n2,red\n", 0, 0, 0, 2, {1, 0, 1, 0, 1, 2}, NULL, 0},
    {"unknown category", COLOUR, 0, 0, "b,c\n1,green\n2,red\n", 0, 0, 0, 2, {0, 0, 1, 0, 1, 2}, NULL, 1},
    {"missing", COLOUR, 0, 0, "b,c\n1,\n2,red\n", 0, 0, ":2:2: missing value (column \"c\"), one of 1", 0, {0}, 0, 0},
    {"training mean", COLOUR, 0, 0, "b,c\n1,\n?,red\n", "missing", "mean", 0, 2, {0, 0, 1, 0, 1, 3}, NULL, 0},
    {"dropped", COLOUR, 0, 0, "b,c\n1,NA\n2,red\n", "missing", "drop", 0, 1, {0, 1, 2}, NULL, 0},
    {"target missing", ABY, 0, 0, "a,b,y\n1,2,\n3,4,q\n", 0, 0, 0, 2, {1, 2, 3, 4}, NULL, 0},
    {"target missing, drop", ABY, 0, 0, "a,b,y\n1,2,\n3,4,\n", "missing", "drop", 0, 2, {1, 2, 3, 4}, NULL, 0},
    {"target of no use", ABY, 0, 0, "a,b,y\n1,2,1e200\n3,4,q\n", 0, 0, 0, 2, {1, 2, 3, 4}, NULL, 0},
    {"target of no use, libsvm", ABY, 0, 0, "1e200 1:1 2:2\nq 1:3 2:4\n", 0, 0, 0, 2, {1, 2, 3, 4}, NULL, 0},
    {"libsvm for a table", ABY, 0, 0, "p 1:5 2:6\nq 2:7 9:1\n", 0, 0, 0, 2, {5, 6, 0, 7}, "p|q", 1},
    {"libsvm for categories",
     COLOUR,
     0,
     0,
     "p 1:5\n",
     0,
     0,
     " is libsvm text, but the model has a column of categories (\"c\")",
     0,
     {0},
     0,
     0},
    {"a table for libsvm", "p 1:5 2:6\nq 2:7\n", 0, 0, "1,2,p\n3,4,q\n", 0, 0, 0, 2, {1, 2, 3, 4}, "p|q", 0},
    {"a table for libsvm, no target", "p 1:5 2:6\nq 2:7\n", 0, 0, "u,v\n1,2\n3,4\n", 0, 0, 0, 2, {1, 2, 3, 4}, NULL, 0},
    {"a wrong table for libsvm",
     "p 1:5 2:6\nq 2:7\n",
     0,
     0,
     "1,2,3,4,p\n",
     0,
     0,
     " has 5 columns; the model was trained on 2 inputs",
     0,
     {0},
     0,
     0},
    {"means for libsvm",
     "p 1:5 2:6\nq 2:7\n",
     0,
     0,
     "1,,p\n",
     "missing",
     "mean",
     ":1:2: missing value, and the model",
     0,
     {0},
     0,
     0},
    {"more libsvm", "p 1:5 2:6\nq 2:7\n", 0, 0, "1:4 3:8\n2:9\n", 0, 0, 0, 2, {4, 0, 0, 9}, NULL, 1},
};

static void check_target(const like_case *c, const ny_data *data) {
    char joined[256] = "";
    if (data->has_target != (c->target != NULL)) fail_msg("%s: target %d", c->what, data->has_target);
    if (!c->target) return;
    for (int64_t i = 0; i < c->n; i++) {
        if (i) strcat(joined, "|");
        strcat(joined, data->label[data->code[i]]);
    }
    if (strcmp(joined, c->target) != 0) fail_msg("%s: the target is %s", c->what, joined);
}

static double entry(const ny_matrix *X, int64_t k, int64_t i) {
    if (X->x) return X->x[i * X->d + k];
    for (int64_t j = X->ptr[i]; j < X->ptr[i + 1]; j++)
        if (X->idx[j] == k) return X->val[j];
    return 0;
}

static void check_case(const like_case *c) {
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = make_options(ctx, c->option, c->value, NULL);
    ny_options *new_options = make_options(ctx, c->new_option, c->new_value, NULL);
    char *train = write_file(".csv", c->train, -1), *path = write_file(".csv", c->text, -1), expected[512];
    ny_data *model = NULL, *data = NULL;
    must(ctx, ny_data_open(ctx, train, options, NULL, &model));
    ny_status st = ny_data_open(ctx, path, new_options, &model->schema, &data);
    if (c->message) {
        snprintf(expected, sizeof expected, "%s%s", path, c->message);
        if (st == NY_OK) fail_msg("%s: no error", c->what);
        if (strncmp(ny_message(ctx), expected, strlen(expected)) != 0)
            fail_msg("%s:\n  message  %s\n  expected %s", c->what, ny_message(ctx), expected);
    } else {
        if (st != NY_OK) fail_msg("%s: %s", c->what, ny_message(ctx));
        if (data->X.n != c->n || data->X.d != model->X.d)
            fail_msg("%s: %lld rows of %lld", c->what, (long long)data->X.n, (long long)data->X.d);
        for (int64_t i = 0; i < c->n; i++)
            for (int64_t k = 0; k < data->X.d; k++)
                if (entry(&data->X, k, i) != c->x[i * data->X.d + k])
                    fail_msg("%s: row %lld, input %lld is %g", c->what, (long long)i, (long long)k,
                             entry(&data->X, k, i));
        if (data->unseen != c->unseen) fail_msg("%s: %lld unseen", c->what, (long long)data->unseen);
        check_target(c, data);
        assert_int_equal(data->schema.inputs, model->schema.inputs);
    }
    ny_data_free(data);
    ny_data_free(model);
    ny_options_free(options);
    ny_options_free(new_options);
    ny_ctx_free(ctx);
    remove(train);
    remove(path);
    free(train);
    free(path);
}

static void like_files(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
}

static void learnt_schema(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = make_options(ctx, "weight-column", "w", "missing", "mean", NULL);
    char *path = write_file(".csv", "a,w,c,a,,y\n1,2,v,4,5,0\n,0,u,6,7,1\n4,1,v,5,9,0\n", -1);
    ny_data *data = NULL;
    must(ctx, ny_data_open(ctx, path, options, NULL, &data));
    const ny_schema *s = &data->schema;
    assert_int_equal(s->columns, 4);
    assert_int_equal(s->inputs, 5);
    assert_true(s->named && !s->sparse);
    assert_string_equal(s->target, "y");
    assert_string_equal(s->weight, "w");
    assert_string_equal(s->column[0].name, "a");
    assert_string_equal(s->column[1].name, "c");
    assert_string_equal(s->column[2].name, "a.2"); /* a name that comes again */
    assert_string_equal(s->column[3].name, "x5");  /* no name */
    assert_int_equal(s->column[1].levels, 2);
    assert_string_equal(s->column[1].level[0], "u");
    assert_close(s->column[0].mean, 2.5, 1e-15);
    assert_close(s->column[2].mean, 5, 1e-15);
    assert_true(data->weight[0] == 2 && data->weight[1] == 0 && data->weight[2] == 1);
    assert_true(data->numeric_target && data->y[1] == 1);
    must(ctx, ny_options_set(ctx, options, "target", "2"));
    ny_data *none = NULL;
    assert_int_equal(ny_data_open(ctx, path, options, NULL, &none), NY_ERR_USAGE);
    assert_non_null(strstr(ny_message(ctx), ": column \"w\" cannot be both target and weight"));
    ny_schema copy;
    must(ctx, ny_schema_copy(ctx, s, &copy));
    assert_string_equal(copy.column[1].level[1], "v");
    ny_schema_clear(&copy);
    ny_data_free(data);
    ny_options_free(options);
    ny_ctx_free(ctx);
    remove(path);
    free(path);
}

typedef struct task_case {
    const char *target; /* values joined by a blank, repeated 5 times */
    ny_task asked, task;
    const char *message;
} task_case;

static const task_case tasks[] = {
    {"a b", NY_TASK_NONE, NY_TASK_BINARY, 0},
    {"a b c", NY_TASK_NONE, NY_TASK_MULTICLASS, 0},
    {"0 1", NY_TASK_NONE, NY_TASK_BINARY, 0},
    {"0.5 1.5", NY_TASK_NONE, NY_TASK_BINARY, 0},
    {"1 2 3", NY_TASK_NONE, NY_TASK_MULTICLASS, 0},
    {"1.5 2 3", NY_TASK_NONE, NY_TASK_REGRESSION, 0},
    {"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20", NY_TASK_NONE, NY_TASK_MULTICLASS, 0},
    {"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21", NY_TASK_NONE, NY_TASK_REGRESSION, 0},
    {"1 2 3", NY_TASK_REGRESSION, NY_TASK_REGRESSION, 0},
    {"1 2", NY_TASK_REGRESSION, NY_TASK_REGRESSION, 0},
    {"1.5 2 3", NY_TASK_MULTICLASS, NY_TASK_MULTICLASS, 0},
    {"1 1", NY_TASK_REGRESSION, NY_TASK_REGRESSION, 0},
    {"1 2 3", NY_TASK_BINARY, NY_TASK_NONE,
     "the target \"target\" has 3 different values, not two; use --task multiclass"},
    {"1 a", NY_TASK_REGRESSION, NY_TASK_NONE, "the target \"target\" holds texts, as 'a'"},
    {"7 7", NY_TASK_NONE, NY_TASK_NONE, "the target \"target\" has the same value, '7', in every row"},
    {"a a", NY_TASK_NONE, NY_TASK_NONE, "the target \"target\" has the same value, 'a', in every row"},
};

static void task_choice(void **state) {
    (void)state;
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++) {
        ny_ctx *ctx = ny_ctx_new();
        char words[256], *word[32], *rest = NULL;
        int64_t count = 0;
        strcpy(words, tasks[t].target);
        for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) word[count++] = w;
        double x[200];
        const char *labels[200];
        for (int64_t i = 0; i < 5 * count; i++) x[i] = (double)i, labels[i] = word[i % count];
        ny_data *data = NULL;
        ny_task task;
        must(ctx, ny_data_from_labels(ctx, 5 * count, 1, x, labels, &data));
        ny_status st = ny_data_task(ctx, data, tasks[t].asked, &task);
        if (task != tasks[t].task) fail_msg("%s: %s", tasks[t].target, ny_task_names[task]);
        assert_int_equal(st == NY_OK, tasks[t].message == NULL);
        if (tasks[t].message && !strstr(ny_message(ctx), tasks[t].message)) fail_msg("%s", ny_message(ctx));
        ny_data_free(data);
        ny_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_files),
        cmocka_unit_test(learnt_schema),
        cmocka_unit_test(task_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
