/*
 * A callee releases the mutex on one of its paths and does not take it again.
 *
 * unreach-call: false, after that path an increment may be lost.
 * no-data-race: false, after that path the counter is touched without the mutex.
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
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
int pause_if(int wanted)
{
	if (!wanted)
		return 0;
	pthread_mutex_unlock(&m);
	return 1;
}
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	int released = pause_if(__VERIFIER_nondet_bool());
	n++;
	if (!released)
		pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
