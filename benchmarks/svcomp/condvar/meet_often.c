/*
 * Two threads meet eight times, and compare how far they are every second time.
 *
 * unreach-call: true, who comes first goes on only when the round has changed, also after a wake-up without a signal.
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
int waiting, round_no, done[2];
static void meet(void)
{
	pthread_mutex_lock(&m);
	int mine = round_no;
	if (++waiting == 2) {
		waiting = 0;
		round_no++;
		pthread_cond_broadcast(&c);
	}
	while (mine == round_no)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
}
static void work(long me)
{
	for (int k = 1; k < 5; k++) {
		done[me] = k;
		meet();
		__VERIFIER_assert(done[1 - me] == k);
		meet();
	}
}
void *worker(void *arg)
{
	work(1);
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	work(0);
	pthread_join(t, 0);
	return 0;
}
