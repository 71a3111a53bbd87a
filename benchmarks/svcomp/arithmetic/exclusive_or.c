/*
 * Two threads mix unknown values into a word and take them out again.
 *
 * unreach-call: true, an exclusive or with the same value twice changes nothing, in any order of whole steps.
 * no-data-race: true, the word is under the mutex.
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
extern unsigned int __VERIFIER_nondet_uint(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned word = 0xabcd;
void *worker(void *arg)
{
	unsigned v = __VERIFIER_nondet_uint();
	pthread_mutex_lock(&m);
	word ^= v;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	word ^= v;
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
	__VERIFIER_assert(word == 0xabcd);
	return 0;
}
