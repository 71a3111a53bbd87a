/*
 * The driver queues work and waits for it before it frees what the work uses.
 *
 * unreach-call: true, the memory is alive while the work runs.
 * no-data-race: true, the wait (a join) orders the work before main's last accesses.
 * valid-memsafety: true, the block is used only between its allocation and its free, which comes once.
 */
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
struct device { int pending; int handled; };
void *work(void *arg)
{
	struct device *d = arg;
	d->handled += d->pending;
	d->pending = 0;
	return 0;
}
int main(void)
{
	struct device *d = malloc(sizeof *d);
	if (!d)
		return 0;
	d->pending = 3;
	d->handled = 0;
	pthread_t t;
	pthread_create(&t, 0, work, d);
	pthread_join(t, 0);
	__VERIFIER_assert(d->handled == 3 && d->pending == 0);
	free(d);
	return 0;
}
