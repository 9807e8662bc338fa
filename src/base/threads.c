/* threads.c: the crew. A loop is published under a lock, its tiles are handed out by a counter. The caller works along,
 * and at the end it waits for those only who have joined this loop: on a busy machine a thread that does not get a
 * processor in time holds nobody up. Idle threads sleep, after a spin shorter than two changes of context take. */
#include "threads.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "cgroup.h"

enum { MOST = 1024, SPINS = 500, STACK = 4 << 20 };

typedef struct loop {
    ny_tile_fn *tile;
    void *arg;
    int64_t n, step;
    atomic_llong next; /* the first row that is not handed out */
    bool may_cut;
    ny_ctx *ctx;     /* whose stop is heard, or NULL */
    atomic_bool cut; /* something was left out */
} loop;

typedef struct crew {
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    atomic_uint round; /* counts the loops */
    loop *open;        /* may still be joined; NULL when its tiles are handed out */
    atomic_int joined; /* threads at work on a loop, without the caller; changed under the lock */
    bool over;
    int size, hired; /* threads without the caller */
    pthread_t *thread;
} crew;

typedef struct member {
    crew *crew;
    int number;
} member;

static _Thread_local struct {
    int threads; /* 0: no crew was asked for */
    bool busy;
    crew *crew;
    ny_cut_before stop; /* of the innermost ny_cut_begin */
} here;

/* The first number of a list such as OMP_NUM_THREADS=4,2; INT_MAX when there is none. */
static int allowed_by(const char *variable) {
    const char *text = getenv(variable);
    long value = text ? strtol(text, NULL, 10) : 0;
    return value > 0 && value < INT_MAX ? (int)value : INT_MAX;
}

/* omp_get_num_procs counts the cpuset. */
int ny_threads_available(void) {
    static const char *const variable[] = {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "SLURM_CPUS_PER_TASK"};
    double threads = fmin(omp_get_num_procs(), ceil(ny_cgroup_processors("")));
    for (size_t i = 0; i < sizeof variable / sizeof *variable; i++) threads = fmin(threads, allowed_by(variable[i]));
    return threads > 1 ? (int)threads : 1;
}

int ny_threads(void) {
    return here.threads ? here.threads : 1;
}

bool ny_threads_busy(void) {
    return here.busy;
}

ny_cut_before ny_cut_begin(ny_ctx *ctx) {
    ny_cut_before before = here.stop;
    here.stop = (ny_cut_before){ctx, false};
    return before;
}

bool ny_cut_end(ny_cut_before before) {
    bool cut = here.stop.cut;
    here.stop = before;
    return cut;
}

bool ny_cut(void) {
    if (here.stop.ctx && !here.stop.cut) here.stop.cut = ny_should_stop(here.stop.ctx);
    return here.stop.cut;
}

static void relax(void) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

static void run(loop *l, int number) {
    int64_t first;
    while ((first = atomic_fetch_add(&l->next, l->step)) < l->n && !(l->may_cut && ny_cut()))
        l->tile(l->arg, first, l->n - first < l->step ? l->n - first : l->step, number);
    if (here.stop.cut) atomic_store(&l->cut, true);
}

/* What a thread of the crew does all its life. */
static void *serve(void *arg) {
    member me = *(member *)arg;
    crew *c = me.crew;
    unsigned seen = 0;
    free(arg);
    omp_set_num_threads(1);
    here.busy = true;
    pthread_mutex_lock(&c->lock);
    here.threads = c->size + 1;
    while (!c->over) {
        if (!c->open || seen == atomic_load(&c->round)) {
            pthread_mutex_unlock(&c->lock);
            for (int spin = 0; spin < SPINS && seen == atomic_load(&c->round); spin++) relax();
            pthread_mutex_lock(&c->lock);
            if (!c->over && (!c->open || seen == atomic_load(&c->round))) pthread_cond_wait(&c->work, &c->lock);
            continue;
        }
        seen = atomic_load(&c->round);
        loop *l = c->open;
        atomic_fetch_add(&c->joined, 1);
        pthread_mutex_unlock(&c->lock);
        here.stop = (ny_cut_before){l->ctx, false};
        run(l, me.number);
        pthread_mutex_lock(&c->lock);
        if (atomic_fetch_sub(&c->joined, 1) == 1) pthread_cond_signal(&c->idle);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void dismiss(void) {
    crew *c = here.crew;
    here.crew = NULL;
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    c->over = true;
    atomic_fetch_add(&c->round, 1); /* for those who spin */
    pthread_cond_broadcast(&c->work);
    pthread_mutex_unlock(&c->lock);
    for (int i = 0; i < c->hired; i++) pthread_join(c->thread[i], NULL);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->work);
    pthread_cond_destroy(&c->idle);
    free(c->thread);
    free(c);
}

/* Up to c->size threads, fewer where no more can be had. Signals are for the threads of the host. */
static void hire(crew *c) {
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0) return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_setstacksize(&attributes, STACK); /* whatever `ulimit -s` says */
    for (; c->hired < c->size; c->hired++) {
        member *m = malloc(sizeof *m);
        if (!m) break;
        *m = (member){c, c->hired + 1};
        if (pthread_create(&c->thread[c->hired], &attributes, serve, m) != 0) {
            free(m);
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

/* In a child process there are no threads but the one that forked. */
static void forget_crew(void) {
    here.crew = NULL;
    if (here.threads > 1) here.threads = 1;
}

static void watch_forks(void) {
    pthread_atfork(NULL, NULL, forget_crew);
}

static crew *gather(int size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    crew *c = calloc(1, sizeof *c);
    if (c) c->thread = calloc((size_t)size, sizeof *c->thread);
    if (!c || !c->thread) {
        free(c);
        return NULL;
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->work, NULL);
    pthread_cond_init(&c->idle, NULL);
    c->size = size;
    pthread_mutex_lock(&c->lock);
    hire(c);
    c->size = c->hired;
    pthread_mutex_unlock(&c->lock);
    return c;
}

static void resize(int threads) {
    if (here.busy || threads == here.threads) return;
    dismiss();
    here.threads = threads;
    if (threads <= 1) return;
    here.crew = gather(threads - 1);
    here.threads = here.crew ? here.crew->hired + 1 : 1;
}

void ny_threads_set(int threads) {
    if (threads <= 0) threads = ny_threads_available();
    omp_set_num_threads(1);
    resize(threads < MOST ? threads : MOST);
}

ny_crew_before ny_crew_begin(int threads) {
    ny_crew_before before = {here.threads, omp_get_max_threads()};
    ny_threads_set(threads);
    return before;
}

void ny_crew_end(ny_crew_before before) {
    resize(before.threads);
    omp_set_num_threads(before.openmp);
}

/* Closes the loop, so that nobody joins it any more, and waits for those who have. */
static void finish(crew *c) {
    pthread_mutex_lock(&c->lock);
    c->open = NULL;
    pthread_mutex_unlock(&c->lock);
    for (int spin = 0; spin < SPINS && atomic_load(&c->joined) > 0; spin++) relax();
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->joined) > 0) pthread_cond_wait(&c->idle, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

static void for_tiles(int64_t n, int64_t step, ny_tile_fn *tile, void *arg, bool may_cut) {
    if (step < 1) step = 1;
    loop l = {.tile = tile, .arg = arg, .n = n, .step = step, .may_cut = may_cut, .ctx = here.stop.ctx};
    crew *c = here.busy || n <= step ? NULL : here.crew;
    if (!c) {
        run(&l, 0);
        return;
    }
    pthread_mutex_lock(&c->lock);
    c->open = &l;
    atomic_fetch_add(&c->round, 1);
    pthread_cond_broadcast(&c->work);
    pthread_mutex_unlock(&c->lock);
    here.busy = true;
    run(&l, 0);
    here.busy = false;
    finish(c);
    here.stop.cut |= atomic_load(&l.cut);
}

void ny_for_tiles(int64_t n, int64_t step, ny_tile_fn *tile, void *arg) {
    for_tiles(n, step, tile, arg, false);
}

void ny_for_tiles_cut(int64_t n, int64_t step, ny_tile_fn *tile, void *arg) {
    for_tiles(n, step, tile, arg, true);
}
