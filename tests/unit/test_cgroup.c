/* test_cgroup.c: limits of control groups, read from trees that look like those of real machines. */
#include <math.h>
#include <sys/stat.h>

#include "base/cgroup.h"
#include "with_ctx.h"

static char root[] = "cgroup-XXXXXX";

/* Writes root/path, with the folders on the way. */
static void put(const char *path, const char *content) {
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(name, 0777);
        *slash = '/';
    }
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(content, f);
    fclose(f);
}

static int begin(void **state) {
    (void)state;
    strcpy(root, "cgroup-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

static void none(void **state) {
    (void)state;
    assert_true(ny_cgroup_memory(root) == INT64_MAX);
    assert_true(isinf(ny_cgroup_processors(root)));
    put("proc/self/cgroup", "no line\n:\n0\n");
    put("proc/self/mountinfo", "1 2 3\n - cgroup2\nx - cgroup2 a b\n");
    assert_true(ny_cgroup_memory(root) == INT64_MAX);
}

/* Version 2: the limit two groups above, in which a gigabyte is used and a quarter of it are pages of files. */
static void second(void **state) {
    (void)state;
    put("proc/self/cgroup", "0::/user.slice/job.scope/step\n");
    put("proc/self/mountinfo",
        "24 1 0:22 / /proc rw - proc proc rw\n"
        "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
    put("sys/fs/cgroup/user.slice/job.scope/step/memory.max", "max\n");
    put("sys/fs/cgroup/user.slice/job.scope/step/memory.current", "1000\n");
    put("sys/fs/cgroup/user.slice/job.scope/step/cpu.max", "max 100000\n");
    assert_true(ny_cgroup_memory(root) == INT64_MAX);
    assert_true(isinf(ny_cgroup_processors(root)));
    put("sys/fs/cgroup/user.slice/memory.max", "4000000000\n");
    put("sys/fs/cgroup/user.slice/memory.current", "1000000000\n");
    put("sys/fs/cgroup/user.slice/memory.stat", "anon 750000000\ninactive_file 250000000\n");
    put("sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n");
    assert_true(ny_cgroup_memory(root) == 3250000000);
    assert_true(ny_cgroup_processors(root) == 1.5);
    put("sys/fs/cgroup/user.slice/job.scope/memory.high", "500000000\n");
    put("sys/fs/cgroup/user.slice/job.scope/memory.current", "600000000\n");
    assert_true(ny_cgroup_memory(root) == 0); /* more is used than it may */
}

/* Version 1 in a container: /proc shows the path of the host, of which the mounted tree is a part. */
static void first(void **state) {
    (void)state;
    put("proc/self/cgroup", "9:name=systemd:/\n4:memory:/docker/abc/inner\n3:cpu,cpuacct:/docker/abc\n0::/\n");
    put("proc/self/mountinfo",
        "40 30 0:30 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
        "41 30 0:31 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n");
    put("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/inner/memory.usage_in_bytes", "100\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000000\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "600000000\n");
    put("sys/fs/cgroup/memory/memory.stat", "inactive_file 5\ntotal_inactive_file 100000000\n");
    put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n");
    put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    assert_true(ny_cgroup_memory(root) == 1500000000);
    assert_true(ny_cgroup_processors(root) == 2.5);
    put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    assert_true(isinf(ny_cgroup_processors(root)));
}

/* A namespace of its own: the path leads out of what is mounted, or is another one altogether. */
static void elsewhere(void **state) {
    (void)state;
    static const char *const group[] = {"0::/../../job\n", "0::/other/place\n", "0::/\n", "0::/container\n"};
    put("proc/self/mountinfo", "30 24 0:26 /container /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    put("sys/fs/cgroup/memory.max", "3000\n");
    put("sys/fs/cgroup/memory.current", "1000\n");
    for (size_t k = 0; k < sizeof group / sizeof *group; k++) {
        put("proc/self/cgroup", group[k]);
        assert_true(ny_cgroup_memory(root) == 2000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(none, begin, end),
        cmocka_unit_test_setup_teardown(second, begin, end),
        cmocka_unit_test_setup_teardown(first, begin, end),
        cmocka_unit_test_setup_teardown(elsewhere, begin, end),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
