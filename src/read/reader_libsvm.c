/* reader_libsvm.c: `label index:value index:value ... # comment`, indices from 1 and ascending; qid:N is passed over.
 * The result is sparse unless more than a fifth of all entries are there. With a model, indices above its inputs are
 * left out and counted as unseen, and lines may come without a label. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "reader.h"
#include "table/target.h"

static const double DENSE_SHARE = 0.2;

typedef struct parser {
    ny_ctx *ctx;
    const ny_schema *like;
    const char *file;
    int64_t line;
    const char *begin, *end; /* of the line, without its comment */
    ny_target target;
    bool drop;     /* --missing drop */
    int64_t most;  /* the largest index */
    int64_t limit; /* a larger index than this means that the file has changed */
    ny_matrix X;   /* the rows that are held */
    int64_t nnz;   /* entries of these */
    int64_t ptr_room, idx_room, val_room;
    int64_t rows, entries, dropped, unseen; /* of the whole pass */
    bool dense, decided;                    /* X becomes dense when it is taken */
    double bytes;
} parser;

static inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *p, const char *end) {
    while (p < end && is_blank(*p)) p++;
    return p;
}

static const char *word_end(const char *p, const char *end) {
    while (p < end && !is_blank(*p)) p++;
    return p;
}

/* digits ':' number, and nothing else. */
static bool is_pair(const char *p, const char *end) {
    const char *colon = memchr(p, ':', (size_t)(end - p));
    int64_t index;
    double value;
    return colon && *p != '-' && *p != '+' && ny_number_whole(p, colon - p, &index) &&
           ny_number_parse(colon + 1, end - colon - 1, &value);
}

bool ny_looks_libsvm(const ny_source *s, bool without_label) {
    const char *p = s->bytes + s->at, *limit = s->bytes + s->size;
    while (p < limit) {
        const char *end = memchr(p, '\n', (size_t)(limit - p));
        if (!end) end = limit;
        const char *first = skip_blanks(p, end), *first_end = word_end(first, end);
        const char *second = skip_blanks(first_end, end), *second_end = word_end(second, end);
        if (without_label && first < first_end && is_pair(first, first_end)) return true;
        if (second < second_end && *first != '#') {
            bool qid = second_end - second > 4 && memcmp(second, "qid:", 4) == 0;
            return is_pair(second, second_end) || qid;
        }
        p = end + 1;
    }
    return false;
}

static ny_status wrong(parser *r, const char *at, const char *what) {
    char shown[NY_EXCERPT];
    return ny_error(r->ctx, NY_ERR_DATA, "%s:%lld:%lld: %s '%s'", r->file, (long long)r->line,
                    (long long)(at - r->begin) + 1, what, ny_excerpt(at, word_end(at, r->end) - at, shown));
}

/* index:value at p; *p moves behind it. */
static ny_status read_pair(parser *r, const char **p, int64_t *last) {
    ny_ctx *ctx = r->ctx;
    ny_status st = NY_OK;
    const char *at = *p, *q = at;
    int64_t index = 0;
    double value;
    for (; q < r->end && *q >= '0' && *q <= '9' && index <= INT32_MAX; q++) index = index * 10 + (*q - '0');
    if (index > INT32_MAX) return wrong(r, at, "indices end at 2147483647:");
    if (q == at || q == r->end || *q != ':') return wrong(r, at, "expected index:value, found");
    if (index == 0) return wrong(r, at, "indices begin at 1:");
    if (index <= *last) return wrong(r, at, "indices must ascend:");
    const char *number = q + 1;
    q = ny_number_scan(number, r->end, &value);
    if (!q || (q < r->end && !is_blank(*q))) {
        if (!ny_number_infinite(number, word_end(number, r->end) - number)) return wrong(r, number, "not a number:");
        value = INFINITY;
    }
    if (!(fabs(value) <= NY_VALUE_LIMIT))
        return wrong(r, number, "too large (magnitudes may not exceed 1e150, or squares overflow):");
    *p = q;
    *last = index;
    if (r->like && index > r->like->inputs) {
        r->unseen++;
        return st;
    }
    if (index > r->most) r->most = index;
    if (value == 0) return st;
    NY_GROW(ctx, r->X.idx, r->idx_room, r->nnz + 1);
    NY_GROW(ctx, r->X.val, r->val_room, r->nnz + 1);
    r->X.idx[r->nnz] = (int32_t)(index - 1);
    r->X.val[r->nnz++] = value;
done:
    return st;
}

/* The label at *p; *drop tells that the row is to be left out. */
static ny_status read_label(parser *r, const char **p, bool *drop) {
    const char *at = *p, *q = word_end(at, r->end);
    *drop = false;
    if (memchr(at, ':', (size_t)(q - at))) { /* left where it is: the line has no label */
        if (!r->like) return wrong(r, at, "expected a label, found");
        ny_target_missing(&r->target, r->line, at - r->begin + 1);
        return NY_OK;
    }
    if (memchr(at, ',', (size_t)(q - at))) return wrong(r, at, "several labels in one row are not supported:");
    *p = q;
    if (ny_text_missing(at, q - at)) {
        *drop = r->drop && !r->like;
        if (!*drop) ny_target_missing(&r->target, r->line, at - r->begin + 1);
        return NY_OK;
    }
    ny_status st = ny_target_text(r->ctx, &r->target, at, q - at);
    if (st != NY_ERR_DATA) return st;
    ny_error_prefix(r->ctx, st, "%s:%lld:%lld: ", r->file, (long long)r->line, (long long)(at - r->begin) + 1);
    if (!r->like || r->target.known) return st;
    ny_log(r->ctx, NY_LOG_WARNING, "%s; read without a target", r->ctx->message);
    r->target.lost = true;
    return NY_OK;
}

static ny_status read_row(parser *r, const char *p) {
    ny_ctx *ctx = r->ctx;
    ny_status st = NY_OK;
    int64_t last = 0, nnz = r->nnz, most = r->most, unseen = r->unseen;
    bool drop;
    NY_TRY(read_label(r, &p, &drop));
    while ((p = skip_blanks(p, r->end)) < r->end) {
        bool qid = r->end - p > 4 && memcmp(p, "qid:", 4) == 0;
        if (qid) p = word_end(p, r->end);
        else NY_TRY(read_pair(r, &p, &last));
    }
    if (drop) {
        r->dropped++;
        r->nnz = nnz;
        r->most = most;
        r->unseen = unseen;
        return st;
    }
    NY_CHECK(ctx, r->most <= r->limit, NY_ERR_DATA,
             "%s:%lld: an index that was not there before: the file has changed while it was in use", r->file,
             (long long)r->line);
    NY_GROW(ctx, r->X.ptr, r->ptr_room, r->X.n + 2);
    r->X.ptr[0] = 0;
    r->X.ptr[++r->X.n] = r->nnz;
    r->rows++;
    r->entries += r->nnz - nnz;
    ny_target_end(&r->target);
done:
    return st;
}

static ny_status read_rows(parser *r, ny_source *source, int64_t max_rows, bool *ended) {
    ny_ctx *ctx = r->ctx;
    ny_status st = NY_OK;
    bool found;
    for (; r->X.n < max_rows; r->line++) {
        NY_TRY(ny_source_line(ctx, source, &r->begin, &r->end, &found));
        *ended = !found;
        if (!found) break;
        const char *nul = memchr(r->begin, 0, (size_t)(r->end - r->begin));
        NY_CHECK(ctx, !nul, NY_ERR_DATA, "%s:%lld:%lld: a NUL byte: this is not a text file", r->file,
                 (long long)r->line, (long long)(nul - r->begin) + 1);
        const char *comment = memchr(r->begin, '#', (size_t)(r->end - r->begin));
        if (comment) r->end = comment;
        const char *p = skip_blanks(r->begin, r->end);
        if (p < r->end) NY_TRY(read_row(r, p));
    }
done:
    return st;
}

/* A fifth or more of the entries: dense is smaller to hold and faster to multiply. */
static ny_status make_dense(ny_ctx *ctx, ny_matrix *X) {
    ny_status st = NY_OK;
    ny_matrix dense;
    NY_TRY(ny_matrix_dense(ctx, X->d, X->n, &dense));
    for (int64_t i = 0; i < X->n; i++)
        for (int64_t k = X->ptr[i]; k < X->ptr[i + 1]; k++) dense.x[i * X->d + X->idx[k]] = X->val[k];
    ny_matrix_clear(X);
    *X = dense;
done:
    return st;
}

static ny_status check_use(ny_ctx *ctx, const char *file, const ny_schema *like) {
    ny_status st = NY_OK;
    for (int64_t c = 0; like && c < like->columns; c++)
        NY_CHECK(ctx, like->column[c].levels == 0, NY_ERR_DATA,
                 "%s is libsvm text, but the model has a column of categories (\"%s\") that only a CSV file can give",
                 file, like->column[c].name);
    NY_CHECK(
        ctx, !like || !like->all_columns, NY_ERR_DATA,
        "%s is libsvm text, but the model was made from columns and keeps %lld of %lld: give it a CSV or .npy file",
        file, (long long)like->columns, (long long)like->all_columns);
done:
    return st;
}

/* About how much memory the file will take, by the first lines: pairs and rows, sparse or dense. */
static double guess_bytes(const ny_source *source) {
    const char *begin = source->bytes + source->at, *end = source->bytes + source->size;
    double rows = 1, pairs = 0, most = 1, text = (double)(end - begin);
    for (const char *p = begin; p < end; p++) {
        rows += *p == '\n';
        if (*p != ':') continue;
        double index = 0, place = 1;
        for (const char *q = p; q > begin && q[-1] >= '0' && q[-1] <= '9'; place *= 10) index += place * (*--q - '0');
        pairs++;
        most = index > most ? index : most;
    }
    bool dense = pairs > DENSE_SHARE * rows * most;
    double held = dense ? rows * most * sizeof(double) : pairs * (sizeof(double) + sizeof(int32_t));
    double total = (source->zip ? 10.0 : 1.0) * (double)source->total;
    return (held + rows * 3 * sizeof(double)) * total / text;
}

/* ---- the reader --------------------------------------------------------------------------------------------- */

static void skip_mark(ny_source *s) {
    if (s->size - s->at >= 3 && memcmp(s->bytes + s->at, "\xef\xbb\xbf", 3) == 0) s->at += 3;
}

static ny_status open_libsvm(ny_ctx *ctx, ny_reader *reader, const ny_options *options) {
    ny_status st = NY_OK;
    parser *r = reader->state;
    *r = (parser){.like = reader->like, .file = reader->source->name, .line = 1, .limit = INT64_MAX};
    reader->target = &r->target;
    r->drop = options->missing == NY_MISSING_DROP;
    skip_mark(reader->source);
    NY_TRY(check_use(ctx, r->file, r->like));
    r->bytes = guess_bytes(reader->source);
done:
    return st;
}

static void recycle_libsvm(ny_reader *reader) {
    parser *r = reader->state;
    r->X.n = r->nnz = r->target.held = 0;
}

static ny_status restart_libsvm(ny_ctx *ctx, ny_reader *reader) {
    (void)ctx;
    parser *r = reader->state;
    recycle_libsvm(reader);
    ny_target_restart(&r->target);
    r->rows = r->entries = r->dropped = r->unseen = 0;
    r->line = 1;
    r->limit = r->most;
    skip_mark(reader->source);
    return NY_OK;
}

static ny_status next_libsvm(ny_ctx *ctx, ny_reader *reader, int64_t max_rows) {
    parser *r = reader->state;
    r->ctx = ctx;
    ny_status st = read_rows(r, reader->source, max_rows, &reader->ended);
    reader->count.rows = r->rows;
    reader->count.held = r->X.n;
    reader->count.dropped = r->dropped;
    reader->count.unseen = r->unseen;
    return st;
}

static ny_status check_libsvm(ny_ctx *ctx, ny_reader *reader) {
    const parser *r = reader->state;
    return r->rows > 0 ? NY_OK : ny_error(ctx, NY_ERR_DATA, "%s has no rows", r->file);
}

/* The model's inputs, when they can be numbered; else inputs 1 .. the largest index. */
static ny_status learn_schema(ny_ctx *ctx, const parser *r, ny_schema *schema) {
    ny_status st = NY_OK;
    if (r->like) return ny_schema_copy(ctx, r->like, schema);
    NY_CHECK(ctx, r->most > 0, NY_ERR_DATA, "%s has no inputs: no row has an index:value", r->file);
    schema->inputs = r->most;
    schema->sparse = true;
    schema->target = ny_strdup(ctx, "");
    schema->weight = ny_strdup(ctx, "");
    if (!schema->target || !schema->weight) st = NY_ERR_MEMORY;
done:
    return st;
}

/* Sparse or dense is decided once: by all rows, or where they come in blocks for a model, by the first block. */
static ny_status learn_libsvm(ny_ctx *ctx, ny_reader *reader, ny_data *data) {
    ny_status st = NY_OK;
    parser *r = reader->state;
    NY_TRY(learn_schema(ctx, r, &data->schema));
    NY_TRY(ny_target_learn(ctx, &r->target, r->like == NULL, data));
    if (!r->decided) r->dense = (double)r->entries > DENSE_SHARE * (double)data->schema.inputs * (double)r->rows;
    r->decided = true;
    data->sparse = !r->dense;
    data->weight_rows = r->rows;
done:
    return st;
}

static ny_status take_libsvm(ny_ctx *ctx, ny_reader *reader, const ny_schema *schema, ny_data *data) {
    ny_status st = NY_OK;
    parser *r = reader->state;
    if (r->X.n == 0) { /* an empty matrix has its arrays too */
        NY_GROW(ctx, r->X.ptr, r->ptr_room, 1);
        r->X.ptr[0] = 0;
    }
    NY_GROW(ctx, r->X.idx, r->idx_room, 1);
    NY_GROW(ctx, r->X.val, r->val_room, 1);
    data->X = r->X;
    data->X.d = schema->inputs;
    r->X = (ny_matrix){0};
    r->nnz = r->ptr_room = r->idx_room = r->val_room = 0;
    if (r->dense) NY_TRY(make_dense(ctx, &data->X));
    ny_target_take(&r->target, data);
done:
    return st;
}

static void close_libsvm(ny_reader *reader) {
    parser *r = reader->state;
    ny_matrix_clear(&r->X);
    ny_target_clear(&r->target);
}

static double bytes_libsvm(const ny_reader *reader) {
    const parser *r = reader->state;
    return r->bytes;
}

const ny_file_format ny_format_libsvm = {
    .state = sizeof(parser),
    .open = open_libsvm,
    .restart = restart_libsvm,
    .next = next_libsvm,
    .check = check_libsvm,
    .learn = learn_libsvm,
    .take = take_libsvm,
    .recycle = recycle_libsvm,
    .close = close_libsvm,
    .bytes = bytes_libsvm,
};
