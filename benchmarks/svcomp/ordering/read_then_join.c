/*
 * Main reads a result before it joins the thread.
 *
 * unreach-call: false, the thread may not have written yet.
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
int result;
void *worker(void *arg)
{
	result = 5;
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, worker, 0);
	__VERIFIER_assert(result == 5);
	pthread_join(t1, 0);
	return 0;
}
