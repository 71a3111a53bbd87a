/*
 * Double-checked initialisation with a plain flag.
 *
 * unreach-call: true, in the order of the program the flag is set after the table.
 * no-data-race: false, the first check reads the flag without the mutex.
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
int done, table;
void *worker(void *arg)
{
	if (!done) {
		pthread_mutex_lock(&m);
		if (!done) {
			table = 3;
			done = 1;
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
