/*
 * Two threads withdraw if the balance allows it, test and subtraction in one critical section.
 *
 * unreach-call: true, the second withdrawal finds 2 and is refused, the balance stays 2.
 * no-data-race: true, the balance is under the mutex.
 * no-overflow: true, the values are small.
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
int balance = 10;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	if (balance >= 8)
		balance -= 8;
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
	__VERIFIER_assert(balance == 2);
	return 0;
}
