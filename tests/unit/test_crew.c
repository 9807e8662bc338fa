/* test_crew.c: the threads: every tile once, nothing left behind, fork, small stacks, threads that cannot be had, and
 * work that is left out after a stop. */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/threads.h"
#include "linalg/linalg.h"
#include "with_ctx.h"

enum { ROWS = 1000 };

typedef struct {
    atomic_int count[ROWS], inner;
    atomic_int out_of_place;
} marks;

static void inner_tile(void *arg, int64_t first, int64_t count, int thread) {
    marks *m = arg;
    (void)first;
    atomic_fetch_add(&m->inner, (int)count);
    if (thread != 0) atomic_fetch_add(&m->out_of_place, 1);
}

static void mark_tile(void *arg, int64_t first, int64_t count, int thread) {
    marks *m = arg;
    for (int64_t i = first; i < first + count; i++) atomic_fetch_add(&m->count[i], 1);
    if (thread < 0 || thread >= ny_threads() || !ny_threads_busy()) atomic_fetch_add(&m->out_of_place, 1);
    ny_for_tiles(10, 3, inner_tile, m);
}

static void every_tile_once(void **state) {
    (void)state;
    for (int threads = 2; threads < 9; threads++) {
        ny_crew_before before = ny_crew_begin(threads);
        assert_int_equal(ny_threads(), threads);
        for (int round = 0; round < 200; round++) {
            static marks m;
            memset(&m, 0, sizeof m);
            ny_for_tiles(ROWS, 7, mark_tile, &m);
            for (int i = 0; i < ROWS; i++) assert_int_equal(m.count[i], 1);
            assert_int_equal(m.inner, 10 * ((ROWS + 6) / 7));
            assert_int_equal(m.out_of_place, 0);
        }
        assert_false(ny_threads_busy());
        ny_crew_end(before);
        assert_int_equal(ny_threads(), before.threads);
    }
}

/* Products in pieces against sums, and the tridiagonal form against A = Q T Q'. */
static void pieces(void **state) {
    (void)state;
    enum { M = 700, N = 530, K = 900 };
    double *A = malloc(sizeof *A * M * K), *B = malloc(sizeof *B * K * N), *C = malloc(sizeof *C * M * M);
    ny_rng rng = ny_rng_make(1, NY_RNG_TEST, 0);
    for (int i = 0; i < M * K; i++) A[i] = ny_rng_uniform(&rng) - 0.5;
    for (int i = 0; i < K * N; i++) B[i] = ny_rng_uniform(&rng) - 0.5;
    for (int threads = 1; threads < 4; threads += 2) {
        ny_crew_before before = ny_crew_begin(threads);
        for (int i = 0; i < M * M; i++) C[i] = 1;
        ny_gemm(false, false, M, N, K, 2, A, M, B, K, 3, C, M);
        for (int t = 0; t < 300; t++) {
            int i = t * 37 % M, j = t * 91 % N;
            double sum = 3;
            for (int k = 0; k < K; k++) sum += 2 * A[i + k * M] * B[k + j * K];
            assert_true(fabs(C[i + j * M] - sum) < 1e-10);
        }
        for (int i = 0; i < M * M; i++) C[i] = 1;
        ny_syrk(M, K, -1, A, M, 2, C, M);
        for (int t = 0; t < 300; t++) {
            int i = t * 37 % M, j = t * 91 % M;
            double sum = i >= j ? 2 : 1;
            for (int k = 0; k < K && i >= j; k++) sum -= A[i + k * M] * A[j + k * M];
            assert_true(fabs(C[i + j * M] - sum) < 1e-10);
        }
        ny_crew_end(before);
    }
    free(A);
    free(B);
    free(C);
}

static void tridiagonal(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 2, 5, 64, 65, 130, 333};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int64_t n = sizes[s], nn = n * n;
        double *A = malloc(sizeof *A * (size_t)nn), *Q = malloc(sizeof *Q * (size_t)nn),
               *R = malloc(sizeof *R * (size_t)nn), *t = malloc(sizeof *t * (size_t)(3 * n));
        ny_rng rng = ny_rng_make(2, NY_RNG_TEST, (uint32_t)n);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = j; i < n; i++) A[i + j * n] = A[j + i * n] = ny_rng_uniform(&rng) - 0.5;
        memcpy(Q, A, sizeof *A * (size_t)nn);
        memcpy(R, A, sizeof *A * (size_t)nn);
        ny_crew_before before = ny_crew_begin(2);
        must(ctx, ny_tridiag(ctx, n, Q, n, t, t + n, t + 2 * n));
        must(ctx, ny_tridiag_apply(ctx, true, n, n, Q, n, t + 2 * n, R, n)); /* Q'A = T Q' */
        must(ctx, ny_tridiag_q(ctx, n, Q, n, t + 2 * n));
        ny_crew_end(before);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) {
                double sum = t[i] * Q[j + i * n];
                if (i > 0) sum += t[n + i - 1] * Q[j + (i - 1) * n];
                if (i < n - 1) sum += t[n + i] * Q[j + (i + 1) * n];
                assert_true(fabs(R[i + j * n] - sum) < 1e-11);
            }
        free(A);
        free(Q);
        free(R);
        free(t);
    }
}

static int64_t threads_of_process(void) {
    return ny_read_number("/proc/self/status", "Threads:");
}

static ny_status train(ny_ctx *c, const char *threads) {
    ny_data *data = NULL;
    ny_model *model = NULL;
    ny_options *options = make_options(c, "threads", threads, NULL);
    ny_status st = ny_data_generate(c, "banana", 300, 1, &data);
    if (st == NY_OK) st = ny_train(c, data, options, &model);
    double *value = malloc(300 * sizeof *value);
    if (st == NY_OK) st = ny_predict(c, model, data, options, value, NULL, NULL);
    free(value);
    ny_model_free(model);
    ny_data_free(data);
    ny_options_free(options);
    return st;
}

static void nothing_left_behind(void **state) {
    (void)state;
    int64_t before = threads_of_process();
    must(ctx, train(ctx, "4"));
    for (int k = 0; k < 100 && threads_of_process() > before; k++)
        usleep(10000); /* they are joined, but not yet gone */
    assert_int_equal(threads_of_process(), before);
}

/* The child is on its own with a clock: a hang is a SIGALRM. */
static void in_child(ny_status (*work)(void)) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        _exit((int)work());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) fail_msg("the child was ended by signal %d", WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), NY_OK);
}

static ny_status train_again(void) {
    ny_ctx *own = ny_ctx_new();
    ny_status st = train(own, "3");
    ny_ctx_free(own);
    return st;
}

static void fork_after_training(void **state) {
    (void)state;
    must(ctx, train(ctx, "3"));
    for (int k = 0; k < 3; k++) in_child(train_again);
}

/* Also while another thread of the parent is in the middle of one. */
static void *train_on(void *arg) {
    *(ny_status *)arg = train_again();
    return NULL;
}

static void fork_while_training(void **state) {
    (void)state;
    pthread_t other;
    ny_status st;
    assert_int_equal(pthread_create(&other, NULL, train_on, &st), 0);
    in_child(train_again);
    pthread_join(other, NULL);
    assert_int_equal(st, NY_OK);
}

static void stack_of_a_thread(void **state) {
    (void)state;
    pthread_attr_t attributes;
    pthread_t other;
    ny_status st;
    pthread_attr_init(&attributes);
    for (size_t size = 128 << 10; size <= 512 << 10; size *= 2) {
        assert_int_equal(pthread_attr_setstacksize(&attributes, size), 0);
        assert_int_equal(pthread_create(&other, &attributes, train_on, &st), 0);
        pthread_join(other, NULL);
        assert_int_equal(st, size < 512 << 10 ? NY_ERR_MEMORY : NY_OK);
    }
    pthread_attr_destroy(&attributes);
}

/* A user who may have no more threads: the work is done by those there are. */
static ny_status without_threads(void) {
    struct rlimit none = {1, 1};
    if (setuid(65534) != 0 || setrlimit(RLIMIT_NPROC, &none) != 0) return NY_OK; /* cannot be tried here */
    return train_again();
}

static void threads_that_cannot_be_had(void **state) {
    (void)state;
    in_child(without_threads);
}

static void stopped_product(void **state) {
    (void)state;
    double one = 1, two = 2, zero = 0;
    ny_cut_before before = ny_cut_begin(ctx);
    ny_gemm(false, false, 1, 1, 1, 1, &one, 1, &two, 1, 0, &zero, 1);
    assert_false(ny_cut_end(before));
    assert_true(zero == 2);
    ny_cancel(ctx);
    before = ny_cut_begin(ctx);
    double x[2] = {0};
    ny_trsm(false, 1, 1, &two, 1, x, 1);
    assert_true(ny_cut());
    assert_true(ny_cut_end(before));
    assert_false(ny_cut()); /* outside everything is done to the end */
    atomic_store(&ctx->cancelled, 0);
}

static void environment(void **state) {
    (void)state;
    unsetenv("OMP_NUM_THREADS");
    unsetenv("OMP_THREAD_LIMIT");
    unsetenv("SLURM_CPUS_PER_TASK");
    int all = ny_threads_available();
    assert_true(all >= 1);
    static const char *const variable[] = {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "SLURM_CPUS_PER_TASK"};
    for (int k = 0; k < 3; k++) {
        setenv(variable[k], k == 0 ? "1,4" : "1", 1);
        assert_int_equal(ny_threads_available(), 1);
        setenv(variable[k], "10000", 1);
        assert_int_equal(ny_threads_available(), all);
        setenv(variable[k], "many", 1);
        assert_int_equal(ny_threads_available(), all);
        unsetenv(variable[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tile_once),     cmocka_unit_test(pieces),
        cmocka_unit_test(tridiagonal),         cmocka_unit_test(nothing_left_behind),
        cmocka_unit_test(fork_after_training), cmocka_unit_test(fork_while_training),
        cmocka_unit_test(stack_of_a_thread),   cmocka_unit_test(threads_that_cannot_be_had),
        cmocka_unit_test(stopped_product),     cmocka_unit_test(environment),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
