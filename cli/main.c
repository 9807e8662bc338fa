/* main.c: nysel COMMAND ...: finds the command, reads its arguments, runs it. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "args.h"
#include "cli.h"
#include "help.h"
#include "tables.h"

static int unknown_command(const char *name) {
    cli_suggestion s = {.word = name};
    for (const cli_command *command = cli_commands; command->name; command++) cli_suggest(&s, command->name);
    if (s.best) return cli_usage_error("unknown command '%s'; did you mean '%s'?", name, s.best);
    return cli_usage_error("unknown command '%s'; 'nysel help' lists them all", name);
}

static int run(const cli_command *command, int argc, char **argv) {
    cli_job job = {.command = command, .ctx = ny_ctx_new()};
    job.options = job.ctx ? ny_options_new(job.ctx) : NULL;
    int code = EXIT_FAILED;
    if (!job.options) {
        cli_error("%s", ny_status_text(NY_ERR_MEMORY));
        goto done;
    }
    code = cli_args(&job, argc, argv);
    if (code != EXIT_DONE) goto done;
    if (job.help) {
        code = cli_help_topic(command->name);
        goto done;
    }
    if (ny_options_check(job.ctx, job.options, command->name) != NY_OK) {
        code = cli_fail(&job, NY_ERR_USAGE);
        goto done;
    }
    ny_begin(job.ctx, job.options);
    cli_progress_start(&job.progress, cli_text(&job, "progress"), cli_is(&job, "quiet"));
    ny_on_progress(job.ctx, cli_progress_show, &job.progress);
    ny_on_log(job.ctx, cli_progress_log, &job.progress);
    code = command->run(&job);
    cli_progress_clear(&job.progress);
done:
    free(job.operand);
    ny_options_free(job.options);
    ny_ctx_free(job.ctx);
    return code;
}

static int dispatch(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "help";
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("nysel %s\n", ny_version());
        return EXIT_DONE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    const cli_command *command = cli_command_find(name);
    if (!command) return unknown_command(name);
    int skip = argc > 1 ? 2 : 1;
    return command->run ? run(command, argc - skip, argv + skip) : cmd_help(argc - skip, argv + skip);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* OpenBLAS asks the environment when it is loaded, before main: once more, if it took the processor for an old one. */
static void start_again(char **argv) {
    const char *core = ny_blas_advice();
    char path[4096];
    ssize_t length = core ? readlink("/proc/self/exe", path, sizeof path - 1) : -1;
    if (length <= 0 || setenv("OPENBLAS_CORETYPE", core, 1) != 0) return;
    path[length] = '\0';
    if (argv[0] && strcmp(base_name(path), base_name(argv[0])) == 0)
        execv(path, argv); /* else a loader was started, or a link */
    unsetenv("OPENBLAS_CORETYPE");
}

typedef struct arguments {
    int count, code;
    char **text;
} arguments;

static void *dispatch_there(void *arg) {
    arguments *a = arg;
    a->code = dispatch(a->count, a->text);
    return NULL;
}

/* Where `ulimit -s` leaves the first thread too little stack, another one does the work. */
static int on_large_stack(int argc, char **argv) {
    enum { ENOUGH = 1 << 20, LARGE = 8 << 20 };
    struct rlimit limit;
    pthread_attr_t attributes;
    pthread_t thread;
    arguments a = {argc, EXIT_FAILED, argv};
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= ENOUGH || pthread_attr_init(&attributes) != 0)
        return dispatch(argc, argv);
    pthread_attr_setstacksize(&attributes, LARGE);
    bool there = pthread_create(&thread, &attributes, dispatch_there, &a) == 0 && pthread_join(thread, NULL) == 0;
    pthread_attr_destroy(&attributes);
    return there ? a.code : dispatch(argc, argv);
}

int main(int argc, char **argv) {
    start_again(argv); /* returns where that is not needed, or cannot be done */
    int code = on_large_stack(argc, argv);
    bool failed = ferror(stdout);
    if (fflush(stdout) != 0 || failed) { /* a full disk must not look like success */
        cli_error("cannot write to standard output: %s", strerror(errno));
        return EXIT_FAILED;
    }
    return code;
}
