/* csv.c: the lexer. A quote opens a quoted field only at the field's beginning (blanks may precede it); elsewhere it
 * is an ordinary character, as in 5" pipe. Inside quotes, "" is a quote, and delimiters and line ends are text. */
#include "csv.h"

#include <string.h>

#include "base/alloc.h"
#include "table/form.h"
#include "utf8.h"

enum { GUESS_RECORDS = 20, CANDIDATES = 3, LOOK = 16 /* bytes that a mark and sep=; may take */ };
static const char candidates[CANDIDATES + 1] = ",;\t";

/* Blanks do not count around fields; a tab is a blank unless it is the delimiter. */
static inline bool is_blank(const ny_csv *csv, char c) {
    return c == ' ' || c == '\r' || (c == '\t' && csv->delimiter != c);
}

/* Counts each candidate in the first records, quoted parts left out. Returns the number of records counted. */
static int count_candidates(const ny_source *s, int64_t counts[GUESS_RECORDS][CANDIDATES]) {
    int records = 0;
    bool quoted = false, any = false;
    for (int64_t i = s->at; i < s->size && records < GUESS_RECORDS; i++) {
        char c = s->bytes[i];
        const char *which = strchr(candidates, c);
        if (c == '"') quoted = !quoted;
        else if (!quoted && c == '\n') records += any, any = false;
        else any |= c != '\r' && c != ' ';
        if (!quoted && c && which) counts[records][which - candidates]++;
    }
    if (s->ended && any && records < GUESS_RECORDS) records++;
    return records > 0 ? records : 1;
}

/* The share of the fields of the first records that are numbers, when cut at `delimiter`; fields with quotes or blanks
 * do not count. It tells 1,5;2,5 from 1;5,2;5. */
static double share_of_numbers(const ny_source *s, char delimiter) {
    int64_t fields = 0, numbers = 0, records = 0, begin = s->at;
    double value[NY_FORMS];
    for (int64_t i = s->at; i <= s->size && records < GUESS_RECORDS; i++) {
        if (i < s->size && s->bytes[i] != delimiter && s->bytes[i] != '\n') continue;
        int64_t length = i - begin - (i > begin && s->bytes[i - 1] == '\r');
        fields++;
        numbers += ny_form_all(s->bytes + begin, length, value) != 0;
        records += i < s->size && s->bytes[i] == '\n';
        begin = i + 1;
    }
    return (double)numbers / (double)fields;
}

static char guess_delimiter(const ny_source *s) {
    int64_t counts[GUESS_RECORDS][CANDIDATES] = {{0}};
    int records = count_candidates(s, counts), best = -1, steady_ones = 0;
    bool steady[CANDIDATES];
    for (int k = 0; k < CANDIDATES; k++) {
        steady[k] = counts[0][k] > 0;
        for (int r = 1; r < records; r++) steady[k] = steady[k] && counts[r][k] == counts[0][k];
        steady_ones += steady[k];
    }
    double best_share = 0, share = 0;
    for (int k = 0; k < CANDIDATES; k++) {
        if (steady_ones > 0 && !steady[k]) continue;
        if (steady_ones > 1) share = share_of_numbers(s, candidates[k]);
        if (best >= 0 && (share < best_share || (share == best_share && counts[0][k] <= counts[0][best]))) continue;
        best = k;
        best_share = share;
    }
    return candidates[best];
}

/* The length of a first line sep=; (or "sep=;"), which spreadsheets write and read, with its line end; 0 where there is
 * none. */
static int64_t named_delimiter(const char *p, int64_t held, char *delimiter) {
    const char *begin = p, *end = p + held;
    bool quoted = p < end && *p == '"';
    p += quoted;
    if (end - p < 5 || (p[0] | 32) != 's' || (p[1] | 32) != 'e' || (p[2] | 32) != 'p' || p[3] != '=') return 0;
    char named = p[4];
    p += 5;
    if (quoted && (p == end || *p++ != '"')) return 0;
    if (p < end && *p == '\r') p++;
    if (p == end || *p != '\n' || !named || !strchr(candidates, named)) return 0;
    *delimiter = named;
    return p + 1 - begin;
}

ny_status ny_csv_open(ny_ctx *ctx, ny_source *source, ny_csv *csv) {
    ny_status st = NY_OK;
    memset(csv, 0, sizeof *csv);
    csv->source = source;
    csv->pinned = true;
    csv->line = csv->pin_line = 1;
    int64_t have;
    NY_TRY(ny_source_need(ctx, source, LOOK, &have));
    const char *bytes = source->bytes + source->at;
    int64_t held = source->size - source->at;
    NY_CHECK(ctx, held > 0, NY_ERR_DATA, "%s is empty", source->name);
    NY_CHECK(ctx, held < 2 || (memcmp(bytes, "\xff\xfe", 2) && memcmp(bytes, "\xfe\xff", 2)), NY_ERR_DATA,
             "%s is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)", source->name);
    const char *cr = memchr(bytes, '\r', (size_t)held);
    NY_CHECK(ctx, !cr || cr == bytes + held - 1 || memchr(bytes, '\n', (size_t)held), NY_ERR_DATA,
             "%s: its lines end with CR only, as on old Macs; save it with LF or CR LF", source->name);
    if (held >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) source->at += 3;
    int64_t line = named_delimiter(source->bytes + source->at, source->size - source->at, &csv->delimiter);
    if (line > 0) {
        source->at += line;
        csv->line = csv->pin_line = 2;
    } else {
        csv->delimiter = guess_delimiter(source);
    }
done:
    return st;
}

void ny_csv_close(ny_csv *csv) {
    ny_free(csv->scratch);
    ny_free(csv->utf8);
    csv->scratch = csv->utf8 = NULL;
}

void ny_csv_rewind(ny_csv *csv) {
    csv->pinned = false;
    csv->cursor = 0;
    csv->line = csv->pin_line;
}

/* The line end that ends a record with quotes in it, or NULL when it lies beyond `limit`. *open is then the quote that
 * is not closed yet, if there is one; *field is the number of the field it is in. */
static const char *quoted_end(const ny_csv *csv, const char *p, const char *limit, const char **open, int64_t *field) {
    for (*field = 0;; ++*field) {
        while (p < limit && is_blank(csv, *p)) p++;
        if (p < limit && *p == '"') {
            *open = p++;
            while ((p = memchr(p, '"', (size_t)(limit - p))) && p + 1 < limit && p[1] == '"') p += 2;
            if (!p) return NULL;
            p++;
        }
        *open = NULL;
        while (p < limit && *p != csv->delimiter && *p != '\n') p++;
        if (p == limit) return NULL;
        if (*p++ == '\n') return p - 1;
    }
}

/* The end of the record at the cursor, reading on as needed; *stop is the line end or the end of the file. */
static ny_status find_end(ny_ctx *ctx, ny_csv *csv, const char **stop) {
    ny_status st = NY_OK;
    ny_source *s = csv->source;
    for (int64_t seen = 0;;) { /* bytes known to hold no line end */
        const char *begin = s->bytes + s->at + csv->cursor, *limit = s->bytes + s->size, *open = NULL;
        int64_t field = 0;
        *stop = memchr(begin + seen, '\n', (size_t)(limit - begin - seen));
        bool quotes = (*stop || s->ended) && memchr(begin, '"', (size_t)((*stop ? *stop : limit) - begin));
        if (quotes) *stop = quoted_end(csv, begin, limit, &open, &field);
        if (*stop) break;
        if (s->ended) {
            int64_t line = csv->line;
            for (const char *p = begin; open && p < open; p++) line += *p == '\n';
            NY_CHECK(ctx, !open, NY_ERR_DATA, "%s:%lld:%lld: the quote opened here is never closed", s->name,
                     (long long)line, (long long)field + 1);
            *stop = limit;
            break;
        }
        seen = quotes ? 0 : limit - begin;
        NY_TRY(ny_source_more(ctx, s));
    }
done:
    return st;
}

ny_status ny_csv_next(ny_ctx *ctx, ny_csv *csv, ny_csv_record *record, bool *found) {
    ny_status st = NY_OK;
    ny_source *s = csv->source;
    const char *begin, *stop, *p;
    do {
        if (!csv->pinned) {
            s->at += csv->cursor;
            csv->cursor = 0;
        }
        NY_TRY(find_end(ctx, csv, &stop));
        begin = s->bytes + s->at + csv->cursor;
        *found = stop < s->bytes + s->size || stop > begin;
        if (!*found) return st;
        record->line = csv->line++;
        record->lines = 1;
        csv->cursor += stop - begin + (stop < s->bytes + s->size);
        for (p = begin; p < stop && is_blank(csv, *p); p++) continue;
    } while (p == stop);
    const char *nul = memchr(begin, 0, (size_t)(stop - begin));
    NY_CHECK(ctx, !nul, NY_ERR_DATA, "%s:%lld: a NUL byte: this is not a text file, or not UTF-8", s->name,
             (long long)record->line);
    for (p = begin; (p = memchr(p, '\n', (size_t)(stop - p))); p++) record->lines++;
    csv->line = record->line + record->lines;
    record->begin = begin;
    record->end = stop > begin && stop[-1] == '\r' ? stop - 1 : stop;
done:
    return st;
}

int64_t ny_csv_line(const ny_csv_record *record, const char *p) {
    int64_t line = record->line;
    if (record->lines > 1)
        for (const char *q = record->begin; q < p; q++) line += *q == '\n';
    return line;
}

/* The text between the quotes [p, end), its doubled quotes halved into the scratch. */
static ny_status unquote(ny_ctx *ctx, ny_csv *csv, const char *p, const char *end, ny_csv_text *text) {
    ny_status st = NY_OK;
    *text = (ny_csv_text){p, end - p};
    if (!memchr(p, '"', (size_t)(end - p))) return st;
    NY_GROW(ctx, csv->scratch, csv->scratch_room, end - p);
    int64_t kept = 0;
    for (; p < end; p++) {
        csv->scratch[kept++] = *p;
        p += *p == '"'; /* the second of the two */
    }
    *text = (ny_csv_text){csv->scratch, kept};
done:
    return st;
}

/* A text that is not UTF-8 is taken as Windows-1252. */
static ny_status to_utf8(ny_ctx *ctx, ny_csv *csv, int64_t line, ny_csv_text *text) {
    ny_status st = NY_OK;
    if (ny_utf8_valid(text->at, text->length)) return st;
    NY_GROW(ctx, csv->utf8, csv->utf8_room, 3 * text->length);
    *text = (ny_csv_text){csv->utf8, ny_utf8_from_1252(text->at, text->length, csv->utf8)};
    if (csv->converted_line == 0) csv->converted_line = line;
done:
    return st;
}

static void trim(const ny_csv *csv, ny_csv_text *text) {
    while (text->length > 0 && is_blank(csv, text->at[0])) text->at++, text->length--;
    while (text->length > 0 && is_blank(csv, text->at[text->length - 1])) text->length--;
}

ny_status ny_csv_field(ny_ctx *ctx, ny_csv *csv, const ny_csv_record *record, int64_t field, const char **p,
                       ny_csv_text *text) {
    ny_status st = NY_OK;
    const char *q = *p, *end = record->end;
    while (q < end && is_blank(csv, *q)) q++;
    if (q < end && *q == '"') {
        const char *close = ++q; /* find_end has seen that the quotes are closed */
        while ((close = memchr(close, '"', (size_t)(end - close))) && close + 1 < end && close[1] == '"') close += 2;
        NY_CHECK(ctx, close, NY_ERR_DATA, "%s:%lld:%lld: the quote opened here is never closed", csv->source->name,
                 (long long)ny_csv_line(record, *p), (long long)field + 1);
        NY_TRY(unquote(ctx, csv, q, close, text));
        for (q = close + 1; q < end && is_blank(csv, *q); q++) continue;
        NY_CHECK(ctx, q == end || *q == csv->delimiter, NY_ERR_DATA, "%s:%lld:%lld: text after the closing quote",
                 csv->source->name, (long long)ny_csv_line(record, close), (long long)field + 1);
    } else {
        const char *begin = q;
        q = memchr(q, csv->delimiter, (size_t)(end - q));
        if (!q) q = end;
        *text = (ny_csv_text){begin, q - begin};
    }
    trim(csv, text);
    NY_TRY(to_utf8(ctx, csv, record->line, text));
    *p = q < end ? q + 1 : NULL;
done:
    return st;
}
