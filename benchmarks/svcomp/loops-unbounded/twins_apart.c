/*
 * The two counters are raised in two critical sections.
 *
 * unreach-call: false, the checker may look between the two sections.
 * no-data-race: true, all concurrent accesses hold the mutex.
 */
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
extern unsigned int __VERIFIER_nondet_uint(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned a, b;
void *worker(void *arg)
{
	unsigned n = __VERIFIER_nondet_uint();
	for (unsigned i = 0; i < n; i++) {
		pthread_mutex_lock(&m);
		a++;
		pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
		b++;
		pthread_mutex_unlock(&m);
	}
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
