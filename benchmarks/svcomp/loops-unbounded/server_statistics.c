/*
 * A server without end counts under a mutex; main prints the count without it.
 *
 * unreach-call: true, the count stops at 100, so what main reads is at most 100.
 * no-data-race: false, main reads the count without the mutex while the server may write it.
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
unsigned served;
void *server(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&m);
		if (served < 100)
			served++;
		pthread_mutex_unlock(&m);
	}
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, server, 0);
	unsigned seen = served;
	__VERIFIER_assert(seen <= 100);
	return 0;
}
