/*
 * Double-checked initialisation with an atomic flag.
 *
 * unreach-call: true, the flag is set after the table, and set under the mutex once.
 * no-data-race: true, the table is written before the atomic flag is set and read after it was seen set.
 */
#include <pthread.h>
#include <stdatomic.h>
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int done;
int table;
void *worker(void *arg)
{
	if (!atomic_load(&done)) {
		pthread_mutex_lock(&m);
		if (!atomic_load(&done)) {
			table = 3;
			atomic_store(&done, 1);
		}
		pthread_mutex_unlock(&m);
	}
	__VERIFIER_assert(table == 3);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
