/*
 * Each of any number of threads gets a block of its own from the heap.
 *
 * unreach-call: true, main writes 7 before the thread starts and never touches the block again.
 * no-data-race: true, each block is used by main before the creation and by one thread after it.
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
extern _Bool __VERIFIER_nondet_bool(void);
struct work { int in, out; };
void *worker(void *arg)
{
	struct work *w = arg;
	__VERIFIER_assert(w->in == 7);
	w->out = w->in + 1;
	free(w);
	return 0;
}
int main(void)
{
	while (__VERIFIER_nondet_bool()) {
		pthread_t t;
		struct work *w = malloc(sizeof *w);
		if (!w)
			return 0;
		w->in = 7;
		pthread_create(&t, 0, worker, w);
	}
	return 0;
}
