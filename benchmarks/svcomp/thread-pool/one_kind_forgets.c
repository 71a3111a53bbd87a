/*
 * Any number of threads of two kinds; one kind reads the counter without the mutex.
 *
 * unreach-call: true, the counter is cut off at 10, so any value read is at most 10.
 * no-data-race: false, the plain read conflicts with the locked increment.
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
unsigned n;
void *writer(void *arg)
{
	pthread_mutex_lock(&m);
	if (n < 10)
		n++;
	pthread_mutex_unlock(&m);
	return 0;
}
void *reader(void *arg)
{
	unsigned v = n;
	__VERIFIER_assert(v <= 10);
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool()) {
		if (__VERIFIER_nondet_bool())
			pthread_create(&t, 0, writer, 0);
		else
			pthread_create(&t, 0, reader, 0);
	}
	return 0;
}
