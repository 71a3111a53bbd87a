/*
 * The callee of a holder of a recursive mutex releases it once too often.
 *
 * unreach-call: false, after the callee the mutex is free, the second increment may be seen apart from the
 *   first.
 * no-data-race: false, the second increment holds nothing while the checker reads under the mutex.
 */
#define _GNU_SOURCE
#include <pthread.h>
extern void abort(void);
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int a, b;
void inc_and_leave(int *p)
{
	pthread_mutex_lock(&m);
	(*p)++;
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&m);
}
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	inc_and_leave(&a);
	b++;
	return 0;
}
void *checker(void *arg)
{
	pthread_mutex_lock(&m);
	__VERIFIER_assert(a == b);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, checker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
