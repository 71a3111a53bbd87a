/*
 * The body of the second thread is one of two, both of which take the mutex.
 *
 * unreach-call: true, the first body adds 1, the second 1 or 2, no addition is lost.
 * no-data-race: true, every body touches the variable under the mutex.
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
int x;
void *add_one(void *arg)
{
	pthread_mutex_lock(&m);
	x += 1;
	pthread_mutex_unlock(&m);
	return 0;
}
void *add_two(void *arg)
{
	pthread_mutex_lock(&m);
	x += 2;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	void *(*body)(void *) = __VERIFIER_nondet_bool() ? add_one : add_two;
	pthread_t t1, t2;
	pthread_create(&t1, 0, add_one, 0);
	pthread_create(&t2, 0, body, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(x == 2 || x == 3);
	return 0;
}
