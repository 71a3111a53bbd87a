/*
 * Two threads look for the maximum of one half each of a table of unknown values.
 *
 * unreach-call: true, comparison and store are in one critical section, so the maximum is at least every value.
 * no-data-race: true, the table is written before the threads start, the maximum is under the mutex.
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
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int table[4], top;
void *worker(void *arg)
{
	long half = (long)arg;
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		if (table[2 * half + i] > top)
			top = table[2 * half + i];
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	for (int i = 0; i < 4; i++)
		table[i] = __VERIFIER_nondet_int();
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	for (int i = 0; i < 4; i++)
		__VERIFIER_assert(table[i] <= top);
	return 0;
}
