/*
 * A server without end answers requests; main checks once that there are never more answers than requests.
 *
 * unreach-call: true, a request is taken under the mutex only when one is waiting, so answers never pass
 *   requests.
 * no-data-race: true, all concurrent accesses hold the mutex.
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
unsigned waiting;
unsigned long asked, answered;
void *server(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&m);
		if (waiting) {
			waiting = 0;
			answered++;
		}
		pthread_mutex_unlock(&m);
	}
}
void *client(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&m);
		if (!waiting && asked < 1000000) {
			waiting = 1;
			asked++;
		}
		pthread_mutex_unlock(&m);
	}
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, server, 0);
	pthread_create(&t2, 0, client, 0);
	pthread_mutex_lock(&m);
	__VERIFIER_assert(answered <= asked && asked - answered <= 1);
	pthread_mutex_unlock(&m);
	return 0;
}
