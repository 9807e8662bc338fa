/* layout.c: finding the target, the weights and the inputs among the columns of a file. */
#include "layout.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

void ny_layout_clear(ny_layout *l) {
    ny_free(l->field);
    ny_free(l->slot_field);
    ny_dict_clear(&l->names);
    memset(l, 0, sizeof *l);
}

/* Adds a name that is not there yet: name, or name.2, name.3 ... `times` remembers how far each name has got. */
static ny_status add_name(ny_ctx *ctx, ny_layout *l, const char *name, int64_t *times) {
    ny_status st = NY_OK;
    char *other = NULL;
    int64_t k = ny_dict_find(&l->names, name, (int64_t)strlen(name)), ignored;
    if (k < 0) return ny_dict_add(ctx, &l->names, name, (int64_t)strlen(name), &ignored);
    do {
        ny_free(other);
        other = ny_format(ctx, "%s.%lld", name, (long long)++times[k] + 1);
        if (!other) return NY_ERR_MEMORY;
    } while (ny_dict_find(&l->names, other, (int64_t)strlen(other)) >= 0);
    st = ny_dict_add(ctx, &l->names, other, (int64_t)strlen(other), &ignored);
    ny_free(other);
    return st;
}

ny_status ny_layout_init(ny_ctx *ctx, const char *source, int64_t fields, char *const *names, ny_layout *l) {
    ny_status st = NY_OK;
    int64_t *times = NULL;
    memset(l, 0, sizeof *l);
    l->source = source;
    l->fields = fields;
    l->named = names != NULL;
    l->target = l->weight = l->id = -1;
    NY_NEW(ctx, l->field, fields);
    NY_NEW(ctx, l->slot_field, fields);
    NY_NEW(ctx, times, fields);
    for (int64_t f = 0; f < fields; f++) {
        char number[NY_NUMBER_TEXT];
        snprintf(number, sizeof number, "x%lld", (long long)f + 1);
        l->field[f].nameless = names && !names[f][0];
        NY_TRY(add_name(ctx, l, names && names[f][0] ? names[f] : number, times));
    }
done:
    ny_free(times);
    return st;
}

/* "a, b, c, ...": the first few column names, for messages. */
static const char *list_names(const ny_layout *l, char *out, size_t size) {
    size_t used = 0;
    char shown[NY_EXCERPT];
    out[0] = 0;
    for (int64_t f = 0; f < l->fields && f < 8 && used + NY_EXCERPT + 8 < size; f++) {
        const char *name = ny_layout_name(l, f);
        used += (size_t)snprintf(out + used, size - used, "%s%s", f ? ", " : "",
                                 ny_excerpt(name, (int64_t)strlen(name), shown));
    }
    if (l->fields > 8) snprintf(out + used, size - used, ", ...");
    return out;
}

/* The field that a name, or a number from 1, means. */
static ny_status find_field(ny_ctx *ctx, const ny_layout *l, const char *what, int64_t length, int64_t *field) {
    char names[512];
    int64_t number;
    *field = l->named ? ny_dict_find(&l->names, what, length) : -1;
    if (*field >= 0) return NY_OK;
    bool whole = ny_number_whole(what, length, &number);
    if (whole && number >= 1 && number <= l->fields) return *field = number - 1, NY_OK;
    if (whole)
        return ny_error(ctx, NY_ERR_USAGE, "%s has no column %.*s; it has %lld", l->source, (int)length, what,
                        (long long)l->fields);
    if (!l->named)
        return ny_error(ctx, NY_ERR_USAGE,
                        "%s has no column \"%.*s\": without a header, columns go by number, 1 to %lld", l->source,
                        (int)length, what, (long long)l->fields);
    return ny_error(ctx, NY_ERR_USAGE, "%s has no column \"%.*s\"; its columns are %s", l->source, (int)length, what,
                    list_names(l, names, sizeof names));
}

static ny_status find_option(ny_ctx *ctx, const ny_layout *l, const char *option, int64_t *field) {
    *field = -1;
    return option && *option ? find_field(ctx, l, option, (int64_t)strlen(option), field) : NY_OK;
}

/* Letters of any case, without asking the locale. */
static bool is_word(const char *text, const char *word) {
    for (; *word; text++, word++)
        if ((*text | 32) != *word) return false;
    return *text == 0;
}

/* A column called target, class, label or y, in this order; else the last that is not the weight, nor kept apart. */
static int64_t usual_target(const ny_layout *l, int64_t weight, int64_t apart) {
    static const char *const words[] = {"target", "class", "label", "y"};
    for (size_t w = 0; l->named && w < sizeof words / sizeof *words; w++)
        for (int64_t f = 0; f < l->fields; f++)
            if (f != weight && f != apart && is_word(ny_layout_name(l, f), words[w])) return f;
    int64_t last = l->fields - 1;
    while (last >= 0 && (last == weight || last == apart)) last--;
    return last;
}

/* The fields left over become inputs, in file order. */
static void number_slots(ny_layout *l) {
    l->slots = 0;
    for (int64_t f = 0; f < l->fields; f++) {
        ny_role role = l->field[f].role;
        if (role != NY_ROLE_NUMBER && role != NY_ROLE_LOCAL && role != NY_ROLE_CATEGORY) continue;
        l->field[f].slot = l->slots;
        l->slot_field[l->slots++] = f;
    }
}

static ny_status set_target(ny_ctx *ctx, ny_layout *l, int64_t target, int64_t weight) {
    if (target >= 0 && target == weight)
        return ny_error(ctx, NY_ERR_USAGE, "%s: column \"%s\" cannot be both target and weight", l->source,
                        ny_layout_name(l, target));
    l->target = target;
    l->weight = weight;
    if (target >= 0) l->field[target].role = NY_ROLE_TARGET;
    if (weight >= 0) l->field[weight].role = NY_ROLE_WEIGHT;
    return NY_OK;
}

/* --categorical a,b,3 and --ignore a,b,3: the fields named get the role. */
static ny_status mark_fields(ny_ctx *ctx, const char *option, const char *list, ny_role role, ny_layout *l) {
    ny_status st = NY_OK;
    for (const char *p = list ? list : ""; *p;) {
        const char *comma = strchrnul(p, ',');
        int64_t f = -1;
        if (comma > p) NY_TRY(find_field(ctx, l, p, comma - p, &f));
        p = *comma ? comma + 1 : comma;
        if (f < 0) continue;
        ny_role old = l->field[f].role;
        bool fixed = old == NY_ROLE_TARGET || old == NY_ROLE_WEIGHT || (l->field[f].asked && old != role);
        NY_CHECK(ctx, !fixed, NY_ERR_USAGE, "%s: --%s is for inputs, and column \"%s\" is %s: leave it out%s",
                 l->source, option, ny_layout_name(l, f),
                 old == NY_ROLE_TARGET   ? "the target"
                 : old == NY_ROLE_WEIGHT ? "the weight"
                                         : "named by --categorical too",
                 old == NY_ROLE_TARGET && role == NY_ROLE_CATEGORY
                     ? " (--task multiclass takes its numbers for classes)"
                     : "");
        l->field[f].role = role;
        l->field[f].asked = true;
    }
done:
    return st;
}

/* What a column is where nobody says otherwise. A target whose values do not all fit their form is one of texts. */
static void set_kinds(ny_layout *l, const ny_kind *kind) {
    for (int64_t f = 0; f < l->fields; f++) {
        ny_field *field = &l->field[f];
        bool text = kind && kind[f].text;
        field->form = kind && !text ? kind[f].form : NY_FORM_PLAIN;
        field->local = kind && kind[f].local;
        if (field->role == NY_ROLE_TARGET && kind && !kind[f].all) field->form = NY_FORM_PLAIN;
        if (field->role == NY_ROLE_IGNORE)
            field->role = text ? NY_ROLE_CATEGORY : field->form == NY_FORM_PLAIN ? NY_ROLE_NUMBER : NY_ROLE_LOCAL;
    }
}

ny_status ny_layout_learn(ny_ctx *ctx, const ny_options *options, const ny_kind *kind, ny_layout *l) {
    ny_status st = NY_OK;
    int64_t target, weight;
    const char *ignore = options->ignore ? options->ignore : "auto";
    if (strcmp(ignore, "auto") == 0 || strcmp(ignore, "none") == 0) ignore = "";
    NY_TRY(find_option(ctx, l, options->weight_column, &weight));
    NY_TRY(find_option(ctx, l, options->target, &target));
    if (target < 0) target = usual_target(l, weight, -1);
    NY_TRY(set_target(ctx, l, target, weight));
    set_kinds(l, kind);
    NY_TRY(mark_fields(ctx, "categorical", options->categorical, NY_ROLE_CATEGORY, l));
    NY_TRY(mark_fields(ctx, "ignore", ignore, NY_ROLE_IGNORE, l));
    number_slots(l);
    NY_CHECK(ctx, l->slots > 0, NY_ERR_DATA, "%s has no input columns, only %s%s", l->source,
             weight >= 0 ? "a target and a weight" : "a target", *ignore ? ", and those that --ignore names" : "");
done:
    return st;
}

/* ---- a model's columns -------------------------------------------------------------------------------------- */

static void set_column(const ny_options *options, const ny_schema *like, int64_t slot, ny_field *field) {
    bool category = !like->sparse && like->column[slot].levels > 0;
    ny_form form = like->sparse ? NY_FORM_PLAIN : like->column[slot].form;
    field->form = ny_form_decimal(form, options->decimal);
    field->role = category ? NY_ROLE_CATEGORY : field->form == NY_FORM_PLAIN ? NY_ROLE_NUMBER : NY_ROLE_LOCAL;
    field->slot = slot;
}

static ny_status apply_names(ny_ctx *ctx, const ny_options *options, const ny_schema *like, ny_layout *l) {
    ny_status st = NY_OK;
    int64_t target, weight;
    char names[512];
    NY_TRY(find_option(ctx, l, options->target, &target));
    NY_TRY(find_option(ctx, l, options->weight_column, &weight));
    NY_TRY(find_option(ctx, l, options->id, &l->id));
    if (target < 0 && like->target && *like->target)
        target = ny_dict_find(&l->names, like->target, (int64_t)strlen(like->target));
    NY_TRY(set_target(ctx, l, target, weight));
    for (int64_t c = 0; c < like->columns; c++) {
        const char *name = like->column[c].name;
        int64_t f = ny_dict_find(&l->names, name, (int64_t)strlen(name));
        NY_CHECK(ctx, f >= 0, NY_ERR_DATA, "%s has no column \"%s\", which the model needs; its columns are %s",
                 l->source, name, list_names(l, names, sizeof names));
        NY_CHECK(ctx, l->field[f].role == NY_ROLE_IGNORE, NY_ERR_USAGE,
                 "%s: column \"%s\" is an input of the model and cannot be its target or weight", l->source, name);
        set_column(options, like, c, &l->field[f]);
        l->slot_field[c] = f;
    }
    l->slots = like->columns;
done:
    return st;
}

/* The field number behind a default name: 4 for x5; -1 when the name is not one. */
static int64_t default_field(const char *name) {
    int64_t number;
    bool is_default = name && name[0] == 'x' && ny_number_whole(name + 1, (int64_t)strlen(name + 1), &number);
    return is_default ? number - 1 : -1;
}

typedef struct {                    /* where the fields of a file without names are */
    int64_t inputs;                 /* columns that it is taken to have, the model's or all of the training file's */
    int64_t target, weight, unused; /* fields, or -1; unused: the weights of training */
    bool guessed;                   /* the target */
    int64_t apart;                  /* the column of --id, where it is neither input nor target nor weight; or -1 */
} places;

/* A target, and the weights of training, may be among `inputs` columns. Where: as the options say, else where they were
 * in training if that can be known (`old`), else at the end. False when the number of fields does not suit. */
static bool find_places(const ny_layout *l, const ny_schema *like, bool old, places *p) {
    int64_t old_target = !old || like->named ? -1 : default_field(like->target);
    int64_t old_weight = !old || like->named ? -1 : default_field(like->weight);
    bool behind = old_weight >= 0 && old_target > old_weight;
    int64_t extra = l->fields - p->inputs - (p->target >= 0) - (p->weight >= 0 && p->weight != p->target);
    extra -= p->apart >= 0;
    p->unused = -1;
    if (p->apart >= 0 && p->apart <= old_weight) old_weight++; /* the training file had no such column */
    if (p->weight < 0 && extra == (p->target < 0) + 1 && old_weight >= 0) {
        p->unused = old_weight < l->fields && old_weight != p->target ? old_weight : -1;
        extra -= p->unused >= 0;
    } else if (p->weight < 0 && behind) {
        old_target--; /* the file comes without the weights */
    }
    if (p->apart >= 0 && p->apart <= old_target) old_target++;
    p->guessed = p->target < 0 && extra == 1;
    if (!p->guessed) return extra == 0;
    bool known = old_target >= 0 && old_target < l->fields && old_target != p->weight && old_target != p->unused;
    p->target = known ? old_target : usual_target(l, p->weight >= 0 ? p->weight : p->unused, p->apart);
    return p->target >= 0;
}

/* The model's columns, or all of its training file's (`few`: only with --select-inputs). */
static bool find_either(const ny_layout *l, const ny_schema *like, places *p, places *few, bool *fits_few) {
    bool fits = find_places(l, like, true, p);
    bool both = like->left_out > 0 && like->all_inputs > 0;
    *fits_few = like->all_columns && !both && find_places(l, like, false, few);
    return fits;
}

/* The column of --id is taken to be one more than the model needs, if so the number of columns is right; else it is one
 * of them. */
static bool set_apart(ny_ctx *ctx, const ny_layout *l, const ny_schema *like, places *p, places *few, bool *fits_few) {
    places with = *p, few_with = *few;
    bool fits_few_with, fits_with = find_either(l, like, &with, &few_with, &fits_few_with);
    if (l->id >= 0 && l->id != p->target && l->id != p->weight) {
        p->apart = few->apart = l->id;
        bool fits = find_either(l, like, p, few, fits_few);
        if ((fits || *fits_few) && fits_with && with.target != l->id)
            ny_log(
                ctx, NY_LOG_WARNING,
                "%s is taken to have column %lld (--id) beside those that the model needs; if it is one of these, and "
                "column %lld the target, give the file a header",
                l->source, (long long)l->id + 1, (long long)with.target + 1);
        if (fits || *fits_few) return fits;
    }
    *p = with;
    *few = few_with;
    *fits_few = fits_few_with;
    return fits_with;
}

/* Without names the file has the model's columns in their order. A model that has dropped some (--select-inputs), or
 * was trained without some (--ignore, identifiers), reads files with all columns of its training too, and takes them to
 * be such where they could be either. After both it wants all columns: there would be too many ways to understand a
 * file. */
static ny_status apply_positions(ny_ctx *ctx, const ny_options *options, const ny_schema *like, ny_layout *l) {
    ny_status st = NY_OK;
    int64_t inputs = like->sparse ? like->inputs : like->columns, slot = 0, column = 0;
    places p = {.inputs = like->all_columns ? like->all_columns : inputs, .apart = -1};
    NY_TRY(find_option(ctx, l, options->target, &p.target));
    NY_TRY(find_option(ctx, l, options->weight_column, &p.weight));
    NY_TRY(find_option(ctx, l, options->id, &l->id));
    places few = {.inputs = inputs, .target = p.target, .weight = p.weight, .apart = -1};
    bool fits_few, fits = set_apart(ctx, l, like, &p, &few, &fits_few);
    bool both = like->left_out > 0 && like->all_inputs > 0;
    NY_CHECK(ctx, fits || !both, NY_ERR_DATA,
             "%s has %lld columns without names; the model needs all %lld of its training file", l->source,
             (long long)l->fields, (long long)like->all_columns);
    int64_t used = both ? like->all_columns - like->left_out : inputs;
    bool doubtful = fits && (fits_few || (both && !p.guessed && p.target < 0 && l->fields == used + 1));
    NY_CHECK(ctx, fits || fits_few || !like->all_columns, NY_ERR_DATA,
             "%s has %lld columns; the model needs %lld inputs, or all %lld of its training file", l->source,
             (long long)l->fields, (long long)inputs, (long long)like->all_columns);
    NY_CHECK(ctx, fits || fits_few, NY_ERR_DATA, "%s has %lld columns; the model was trained on %lld inputs", l->source,
             (long long)l->fields, (long long)inputs);
    if (doubtful)
        ny_log(ctx, NY_LOG_WARNING,
               "%s is taken to have all %lld input columns of the training file; if its columns are the %lld that the "
               "model needs and a target, say which is the target (--target)",
               l->source, (long long)like->all_columns, (long long)used);
    if (!fits) p = few;
    if (p.guessed && like->named && !l->named)
        ny_log(ctx, NY_LOG_WARNING,
               "%s has no header: its columns are taken in the model's order, with the target "
               "as column %lld",
               l->source, (long long)p.target + 1);
    NY_TRY(set_target(ctx, l, p.target, p.weight));
    for (int64_t f = 0; f < l->fields; f++) {
        if (l->field[f].role != NY_ROLE_IGNORE || f == p.unused || f == p.apart) continue;
        bool dropped = p.inputs > inputs && (slot == inputs || like->column[slot].position != column);
        column++;
        if (dropped) continue;
        set_column(options, like, slot, &l->field[f]);
        l->slot_field[slot++] = f;
    }
    l->slots = slot;
done:
    return st;
}

ny_status ny_layout_apply(ny_ctx *ctx, const ny_options *options, const ny_schema *like, ny_layout *l) {
    if (like->inputs < 1 || (!like->sparse && like->columns < 1))
        return ny_error(ctx, NY_ERR_MODEL, "the model has no inputs");
    bool names = like->named && l->named;
    ny_status st = names ? apply_names(ctx, options, like, l) : apply_positions(ctx, options, like, l);
    if (st == NY_OK && l->target >= 0) l->field[l->target].form = ny_form_decimal(like->target_form, options->decimal);
    return st;
}
