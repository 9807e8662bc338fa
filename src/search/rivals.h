/* rivals.h: the kernels of a level of the search: which is ahead, and which go on to the next. */
#ifndef NY_RIVALS_H
#define NY_RIVALS_H

#include "contest.h"
#include "widths.h"

/* Which of the kernels has the best machine so far. */
int64_t ny_best_kernel(int64_t kernels, ny_widths **l);
/* The place among the kernels at work of the one that has won a contest; without one, of the best machine so far. */
int64_t ny_winning_kernel(int64_t kernels, ny_widths **l, const ny_standings *s);
/* Whether a contest says that the kernel may be as good as its winner. */
bool ny_near(const ny_widths *l, const ny_standings *s);
/* Whether a kernel goes on beside the winner. A bounded one does where it is not worse by more than the standard error,
 * which more rows and landmarks may well turn round, and a machine of full size is not too dear. Where a kernel without
 * bound is ahead among exact machines of some of the rows, it and the best bounded one both do. Where a contest was
 * held none goes on that lost it, but for the best bounded one beside a winner without bound. */
bool ny_rivals(int64_t kernels, int64_t c, ny_widths **l, const ny_standings *s);

#endif
