/*
 * A thread writes the element after the last one of a block where an input says so.
 *
 * valid-memsafety: false (valid-deref), the element is outside of the block.
 * no-data-race: true, the block belongs to the thread.
 */
#include <stdlib.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
void *worker(void *arg)
{
	int *p = malloc(4 * sizeof *p);
	int i = __VERIFIER_nondet_int();
	if (!p)
		return 0;
	if (i >= 0 && i <= 4)
		p[i] = 0;
	free(p);
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	pthread_join(t, 0);
	return 0;
}
