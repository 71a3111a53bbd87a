/*
 * Test and subtraction are in two critical sections, and the balance is unsigned.
 *
 * unreach-call: false, both tests may pass, and the second subtraction wraps around to a huge balance.
 * no-data-race: true, the balance is under the mutex.
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
unsigned balance = 10;
void *worker(void *arg)
{
	int enough;
	pthread_mutex_lock(&m);
	enough = balance >= 8;
	pthread_mutex_unlock(&m);
	if (enough) {
		pthread_mutex_lock(&m);
		balance -= 8;
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(balance <= 10);
	return 0;
}
