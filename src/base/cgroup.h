/* cgroup.h: what the control groups of this process leave it (containers, SLURM, systemd), versions 1 and 2. A limit
 * counts wherever it is set, in the group of the process or in any group above. `root` is put before every path that is
 * read: "" for this machine, a folder for a test. */
#ifndef NY_CGROUP_H
#define NY_CGROUP_H

#include <stdint.h>

int64_t ny_cgroup_memory(const char *root);    /* bytes that may still be used; INT64_MAX without a limit */
double ny_cgroup_processors(const char *root); /* the quota; HUGE_VAL without one */

/* The number behind `key` at the start of a line; -1 when there is none above 0. */
int64_t ny_read_number(const char *path, const char *key);

#endif
