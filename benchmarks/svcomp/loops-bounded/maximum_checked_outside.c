/*
 * The comparison with the maximum is made before the mutex is taken, and not again.
 *
 * unreach-call: false, with 5 and 9, the thread with 5 may compare with 0, wait for the 9, and store 5 over it.
 * no-data-race: false, the comparison reads the maximum without the mutex.
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int table[2] = { 5, 9 }, top;
void *worker(void *arg)
{
	long i = (long)arg;
	if (table[i] > top) {
		pthread_mutex_lock(&m);
		top = table[i];
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(top == 9);
	return 0;
}
