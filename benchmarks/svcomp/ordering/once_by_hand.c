/*
 * Two threads initialise a table if a plain flag is not set.
 *
 * unreach-call: false, both may find the flag clear and initialise.
 * no-data-race: false, the flag and the table are read and written with no synchronisation.
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
int done, table, runs;
void *worker(void *arg)
{
	if (!done) {
		table = 3;
		runs++;
		done = 1;
	}
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
