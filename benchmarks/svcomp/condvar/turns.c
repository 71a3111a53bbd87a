/*
 * Two threads take turns by a variable and a condition; the data belong to whose turn it is.
 *
 * unreach-call: true, the second thread passes only when turn is 1, after the first has written.
 * no-data-race: true, turn is under the mutex; the data are written before turn changes hands and read after.
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
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int turn, data;
void *first(void *arg)
{
	data = 5;
	pthread_mutex_lock(&m);
	turn = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	return 0;
}
void *second(void *arg)
{
	pthread_mutex_lock(&m);
	while (turn != 1)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	__VERIFIER_assert(data == 5);
	data = 6;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, first, 0);
	pthread_create(&t2, 0, second, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(data == 6);
	return 0;
}
