/*
 * Two threads initialise a table through pthread_once.
 *
 * unreach-call: true, when the call returns, the one initialisation is complete.
 * no-data-race: true, the one execution of the initialiser comes before every return of the call.
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
pthread_once_t once = PTHREAD_ONCE_INIT;
int table, runs;
void init(void)
{
	table = 3;
	runs++;
}
void *worker(void *arg)
{
	pthread_once(&once, init);
	__VERIFIER_assert(table == 3 && runs == 1);
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
