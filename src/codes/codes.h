/* codes.h: the multiclass family: how k classes become q outputs of -1/+1, and how outputs become a class again.
 *
 * A coding is a matrix M of -1, 0, +1 with one row for each class and one column for each output; 0 where a class takes
 * no part in an output. Rows are long and alike, so a method gives of each only what is unlike `rest`. */
#ifndef NY_CODES_H
#define NY_CODES_H

#include <stdbool.h>
#include <stdint.h>

#include "options/options.h"

#define NY_MULTICLASS_LIST(X) \
    X(ova)                    \
    X(ovo)                    \
    X(moc)

typedef struct ny_code { /* an entry of the matrix */
    int64_t output;
    int code;
} ny_code;

typedef struct ny_multiclass {
    const char *name, *help;
    int64_t (*outputs)(int64_t classes);
    /* The codes of class k that are not `rest`, at most as many as there are classes; returns how many. */
    int64_t (*row)(int64_t classes, int64_t k, ny_code *list);
    int rest; /* -1, or 0: no part */
    /* The code of every class in output j. */
    void (*column)(int64_t classes, int64_t j, double *y);
    /* Scores per class from one row of outputs; the largest is the decision. NULL: by loss. */
    void (*decode)(int64_t classes, const double *f, double *score);
} ny_multiclass;

#define X(name) extern const ny_multiclass ny_multiclass_##name;
NY_MULTICLASS_LIST(X)
#undef X

/* The member of that name, and the members in their order; NULL if there is none, or past the end. */
const ny_multiclass *ny_multiclass_find(const char *name);
const ny_multiclass *ny_multiclass_at(int64_t index);

/* The method's own way; fewest outputs of the wrong sign, ties by loss; least squared loss. docs/math.md, eq. 35 */
typedef ny_decoding_option ny_decoding;
enum { NY_DECODINGS = NY_DECODING_LOSS + 1 };
extern const char *const ny_decoding_names[NY_DECODINGS];
bool ny_decoding_find(const char *name, ny_decoding *decoding); /* false if there is none */

typedef struct ny_coding {
    const ny_multiclass *method;
    ny_decoding decoding;
} ny_coding;

/* Two classes need one output whatever the method and the decoding: f > 0 means class 1. */
static inline int64_t ny_codes_outputs(const ny_multiclass *method, int64_t classes) {
    return classes <= 2 ? 1 : method->outputs(classes);
}
/* The code of class k in output j: -1, +1, or 0. */
int ny_codes_code(const ny_multiclass *method, int64_t classes, int64_t k, int64_t j);
/* All codes of class k, that of output j in y[j * stride]. */
void ny_codes_row(const ny_multiclass *method, int64_t classes, int64_t k, int64_t stride, double *y);
/* The codes of output j, that of class k in y[k]. */
void ny_codes_column(const ny_multiclass *method, int64_t classes, int64_t j, double *y);
/* Scores per class from one row of outputs f; the largest is the decision. */
void ny_codes_scores(ny_coding coding, int64_t classes, const double *f, double *score);
/* About how many codes are looked at to decide about a row. */
double ny_codes_work(ny_coding coding, int64_t classes);
/* The decided class: the largest score, the first one in a tie. */
int64_t ny_codes_decide(ny_coding coding, int64_t classes, const double *f);

#endif
