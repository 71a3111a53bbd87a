/*
 * One thread adds three times, the other subtracts three times, without a mutex.
 *
 * unreach-call: false, a step may be lost, and the end value is then not 0.
 * no-data-race: false, the two threads' accesses have no order and no lock.
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
int n;
void *up(void *arg)
{
	for (int i = 0; i < 3; i++)
		n++;
	return 0;
}
void *down(void *arg)
{
	for (int i = 0; i < 3; i++)
		n--;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, up, 0);
	pthread_create(&t2, 0, down, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 0);
	return 0;
}
