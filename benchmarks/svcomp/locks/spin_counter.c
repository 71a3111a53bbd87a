/*
 * Two threads increment under a pthread spin lock.
 *
 * unreach-call: true, the spin lock excludes the other thread, no increment is lost.
 * no-data-race: true, all concurrent accesses hold the spin lock.
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
pthread_spinlock_t s;
int n;
void *worker(void *arg)
{
	pthread_spin_lock(&s);
	n++;
	pthread_spin_unlock(&s);
	return 0;
}
int main(void)
{
	pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_spin_destroy(&s);
	__VERIFIER_assert(n == 2);
	return 0;
}
