/*
 * The first thread passes the turn on before it writes the data.
 *
 * unreach-call: false, the second thread may read before the write.
 * no-data-race: false, once the turn is passed on, nothing orders the write and the read.
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
	pthread_mutex_lock(&m);
	turn = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	data = 5;
	return 0;
}
void *second(void *arg)
{
	pthread_mutex_lock(&m);
	while (turn != 1)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	__VERIFIER_assert(data == 5);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, first, 0);
	pthread_create(&t2, 0, second, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
