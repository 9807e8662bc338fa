/* task.c: classes or numbers? What the target's values suggest, unless the user says. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "identify.h"
#include "table/data.h"

enum { AUTO_CLASSES = 20, DOUBTFUL_CLASSES = 100, AUTO_ROWS = 5 };

const char *const ny_task_names[] = {"none", "binary", "multiclass", "regression"};

static const char *target_name(const ny_data *data) {
    return data->schema.target && *data->schema.target ? data->schema.target : "target";
}

/* A label that is not a number, to show. */
static const char *text_label(const ny_data *data) {
    double v;
    for (int64_t k = 0; k < data->labels; k++)
        if (!ny_number_parse(data->label[k], (int64_t)strlen(data->label[k]), &v)) return data->label[k];
    return "";
}

/* At most so many distinct whole numbers, at least 5 rows each on average. */
static bool looks_like_classes(const ny_data *data, int64_t most) {
    if (data->labels == 0 || data->labels > most || data->rows < AUTO_ROWS * data->labels) return false;
    for (int64_t k = 0; k < data->labels; k++) {
        double v;
        if (!ny_number_parse(data->label[k], (int64_t)strlen(data->label[k]), &v) || v != floor(v)) return false;
    }
    return true;
}

/* Classes that nobody would call so. Each class must have rows to be known by: more than 20 classes with fewer than 5
 * rows on average are questioned, as are classes most of which have one row (ny_mostly_unseen); and so are more than 20
 * values most of which are numbers: a few texts among them are mistakes rather than classes. */
static ny_status question(ny_ctx *ctx, const ny_data *data) {
    ny_status st = NY_OK;
    int64_t singles = 0, numbers = 0;
    double v;
    for (int64_t k = 0; k < data->labels; k++) {
        singles += data->label_rows && data->label_rows[k] == 1;
        numbers += ny_number_parse(data->label[k], (int64_t)strlen(data->label[k]), &v);
    }
    const char *name = target_name(data), *text = text_label(data);
    NY_CHECK(ctx, data->labels <= AUTO_CLASSES || 2 * numbers <= data->labels, NY_ERR_DATA,
             "the target \"%s\" has %lld different values, most of them numbers, but '%s' is none; correct it, or say "
             "that it means a missing value (--na); --task multiclass takes all of them as classes",
             name, (long long)data->labels, text);
    bool few = data->labels > AUTO_CLASSES && data->rows < AUTO_ROWS * data->labels;
    NY_CHECK(ctx, !few && !ny_mostly_unseen(data->rows, singles), NY_ERR_DATA,
             "the target \"%s\" has %lld different texts, as '%s', in %lld rows: too few rows for each to be classes; "
             "choose another column with --target, or say --task multiclass",
             name, (long long)data->labels, text, (long long)data->rows);
done:
    return st;
}

static ny_status as_classes(ny_ctx *ctx, const ny_data *data, bool two, ny_task *task) {
    ny_status st = NY_OK;
    const char *name = target_name(data);
    NY_CHECK(ctx, data->labels != 0, NY_ERR_DATA,
             "the target \"%s\" has more than %d different values: too many classes; use --task regression", name,
             NY_LABELS_MAX);
    NY_CHECK(ctx, data->labels != 1, NY_ERR_DATA,
             "the target \"%s\" has the same value, '%s', in every row: there are no classes to tell apart", name,
             data->label[0]);
    NY_CHECK(ctx, !two || data->labels == 2, NY_ERR_DATA,
             "the target \"%s\" has %lld different values, not two; use --task multiclass", name,
             (long long)data->labels);
    *task = data->labels == 2 ? NY_TASK_BINARY : NY_TASK_MULTICLASS;
done:
    return st;
}

bool ny_data_may_be_classes(const ny_data *data) {
    return looks_like_classes(data, DOUBTFUL_CLASSES);
}

ny_status ny_data_task(ny_ctx *ctx, const ny_data *data, ny_task asked, ny_task *task) {
    ny_status st = NY_OK;
    *task = NY_TASK_NONE;
    NY_CHECK(ctx, data->has_target, NY_ERR_DATA, "%s has no target column", data->source);
    if (asked == NY_TASK_BINARY) return as_classes(ctx, data, true, task);
    if (asked == NY_TASK_MULTICLASS) return as_classes(ctx, data, false, task);
    if (asked == NY_TASK_REGRESSION) {
        NY_CHECK(
            ctx, data->numeric_target, NY_ERR_DATA,
            "the target \"%s\" holds texts, as '%s': regression needs numbers; choose another column with --target, "
            "or --task multiclass",
            target_name(data), text_label(data));
        *task = NY_TASK_REGRESSION;
        return st;
    }
    if (!data->numeric_target || data->labels == 1 || data->labels == 2 || looks_like_classes(data, AUTO_CLASSES)) {
        if (!data->numeric_target) NY_TRY(question(ctx, data));
        NY_TRY(as_classes(ctx, data, false, task));
    } else {
        *task = NY_TASK_REGRESSION;
    }
done:
    return st;
}
