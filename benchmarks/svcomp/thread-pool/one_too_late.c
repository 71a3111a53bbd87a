/*
 * Main joins the previous thread only after it has created the next one.
 *
 * unreach-call: false, two neighbours run at once and may lose an increment.
 * no-data-race: false, two neighbours write the plain counter at once.
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
unsigned n;
void *worker(void *arg)
{
	n++;
	return 0;
}
int main(void)
{
	pthread_t last, next;
	unsigned made = 1;
	pthread_create(&last, 0, worker, 0);
	while (__VERIFIER_nondet_bool()) {
		pthread_create(&next, 0, worker, 0);
		pthread_join(last, 0);
		last = next;
		made++;
	}
	pthread_join(last, 0);
	__VERIFIER_assert(n == made);
	return 0;
}
