/* C11 threads, for machines without the system's headers. */
#ifndef _WHOOP_THREADS_H
#define _WHOOP_THREADS_H
#include <time.h>
typedef unsigned long thrd_t;
typedef union { char __size[40]; long __align; } mtx_t;
typedef union { char __size[48]; long long __align; } cnd_t;
typedef unsigned int tss_t;
typedef int once_flag;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
#define ONCE_FLAG_INIT 0
#define thread_local _Thread_local
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
int thrd_create(thrd_t *, thrd_start_t, void *);
int thrd_join(thrd_t, int *);
int thrd_detach(thrd_t);
_Noreturn void thrd_exit(int);
void thrd_yield(void);
int mtx_init(mtx_t *, int);
void mtx_destroy(mtx_t *);
int mtx_lock(mtx_t *);
int mtx_trylock(mtx_t *);
int mtx_timedlock(mtx_t *, const struct timespec *);
int mtx_unlock(mtx_t *);
int cnd_init(cnd_t *);
void cnd_destroy(cnd_t *);
int cnd_wait(cnd_t *, mtx_t *);
int cnd_timedwait(cnd_t *, mtx_t *, const struct timespec *);
int cnd_signal(cnd_t *);
int cnd_broadcast(cnd_t *);
void call_once(once_flag *, void (*)(void));
int tss_create(tss_t *, tss_dtor_t);
void tss_delete(tss_t);
int tss_set(tss_t, void *);
void *tss_get(tss_t);
#define TSS_DTOR_ITERATIONS 4
thrd_t thrd_current(void);
int thrd_equal(thrd_t, thrd_t);
int thrd_sleep(const struct timespec *, struct timespec *);
#endif
