/*
 * Tickets that each thread draws again and again, into a variable of the loop's body.
 *
 * unreach-call: false, two threads may read the same ticket.
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
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
unsigned served, next, inside;
static void draw(unsigned *t)
{
	*t = next;
	next = *t + 1;
}
void *worker(void *arg)
{
	while (1) {
		unsigned mine;
		draw(&mine);
		while (served != mine)
			;
		inside = 1;
		__VERIFIER_assert(inside == 1);
		inside = 0;
		served = served + 1;
	}
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_int())
		pthread_create(&t, 0, worker, 0);
	worker(0);
	return 0;
}
