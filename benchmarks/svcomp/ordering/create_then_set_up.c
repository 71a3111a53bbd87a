/*
 * Main creates the thread and then sets the variable.
 *
 * unreach-call: false, the thread may read first.
 * no-data-race: false, write and read are not ordered.
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
int limit;
void *worker(void *arg)
{
	__VERIFIER_assert(limit == 4);
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, worker, 0);
	limit = 4;
	pthread_join(t1, 0);
	return 0;
}
