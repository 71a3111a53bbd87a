/*
 * A debt is kept as a negative int and compared with an unsigned limit.
 *
 * unreach-call: false, the comparison converts -5 to a large unsigned value, so that the limit seems passed.
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
int balance;
const unsigned limit = 100;
void *spender(void *arg)
{
	pthread_mutex_lock(&m);
	balance -= 5;
	pthread_mutex_unlock(&m);
	return 0;
}
void *checker(void *arg)
{
	pthread_mutex_lock(&m);
	__VERIFIER_assert(balance <= limit);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, spender, 0);
	pthread_create(&t2, 0, checker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
