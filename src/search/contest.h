/* contest.h: which kernel is the best one for classes, by what their held-out outputs tell of the classes.
 *
 * Within a kernel the squared loss chooses bandwidth and C. Between kernels it is unfair: it also counts how far an
 * output is from -1 or +1 on the right side, and a kernel whose outputs have another shape (a linear one has no other
 * than a plane) loses by that alone. So the kernels' best machines of a size meet by the log loss of their held-out
 * outputs, each after a calibration of its own, which forgives the shape.        docs/math.md, "Kernels for classes" */
#ifndef NY_CONTEST_H
#define NY_CONTEST_H

#include "selection.h"

typedef struct ny_standings {    /* by the places of the kernels in setup->candidate */
    int64_t winner;              /* -1: there was no contest */
    double loss[NY_KERNELS_MAX]; /* mean log loss; NAN: no machine of this size */
    bool near[NY_KERNELS_MAX];   /* not worse than the winner by more than one standard error of the difference */
} ny_standings;

/* Whether kernels meet by log loss: several of them, classes whose outputs have one decoding, a criterion that is the
 * mean loss of held-out outputs, and --select-on auto: else the user has said what counts. The starters of --search csa
 * have chosen their kernel. */
bool ny_contested(const ny_setup *setup);
/* The place of the kernel in setup->candidate; -1: it is not there. */
int64_t ny_candidate(const ny_setup *setup, const ny_kernel *kernel);

/* A machine enters for its kernel if it is the best one of its size by ny_goal; one of another size begins anew. */
ny_status ny_contest_enter(ny_selection *sel, const ny_rows *rows, const ny_solution *s);
/* The standings among machines of the size of found.best, whose kernel keeps its place unless another one is better by
 * more than one standard error of the difference: among machines of some of the rows only one without bound can be. The
 * trials of all of them get their log loss. */
ny_status ny_contest_hold(ny_selection *sel, ny_standings *out);
/* After a search: where another kernel wins among the machines of all rows, its machine becomes found.best. NY_STOPPED:
 * no time to make it; found.best stays. */
ny_status ny_contest_settle(ny_selection *sel);
/* Nobody stands for any kernel; what was kept of them is freed. */
void ny_contest_clear(ny_selection *sel);

#endif
