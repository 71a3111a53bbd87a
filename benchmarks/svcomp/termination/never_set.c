/*
 * main waits in a loop for a flag that a thread sets only where an input says so.
 *
 * termination: false, where the flag is not set, main waits for ever.
 * no-data-race: true, the flag is atomic.
 */
#include <stdatomic.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
atomic_int flag;
void *worker(void *arg)
{
	if (__VERIFIER_nondet_int())
		flag = 1;
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	while (!flag)
		;
	return 0;
}
