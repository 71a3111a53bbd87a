/*
 * Two threads divide the least int by what an input says.
 *
 * no-overflow: false, the least int divided by -1 does not fit.
 * no-data-race: true, each thread has variables of its own.
 */
#include <limits.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
void *worker(void *arg)
{
	int least = INT_MIN, by = __VERIFIER_nondet_int();
	if (by != 0)
		least = least / by;
	return least == 0 ? arg : 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
