/*
 * Threads set a bit each of one word by a plain or.
 *
 * unreach-call: false, one thread may write back the word without the other's bit.
 * no-data-race: false, both threads read and write the word.
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
unsigned word;
void *worker(void *arg)
{
	word |= 1u << (long)arg;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)3);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(word == 9u);
	return 0;
}
