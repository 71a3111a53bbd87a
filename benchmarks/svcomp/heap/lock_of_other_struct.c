/*
 * A worker locks its own struct and writes to a common one.
 *
 * unreach-call: false, the two locks are different, an increment may be lost.
 * no-data-race: false, the common struct is written under different locks.
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
struct box { pthread_mutex_t lock; int n; struct box *common; };
void *worker(void *arg)
{
	struct box *b = arg;
	pthread_mutex_lock(&b->lock);
	b->common->n++;
	pthread_mutex_unlock(&b->lock);
	return 0;
}
struct box *make(struct box *common)
{
	struct box *b = malloc(sizeof *b);
	if (!b)
		abort();
	pthread_mutex_init(&b->lock, 0);
	b->n = 0;
	b->common = common;
	return b;
}
int main(void)
{
	struct box *c = make(0);
	struct box *x = make(c);
	struct box *y = make(c);
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, x);
	pthread_create(&t2, 0, worker, y);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(c->n == 2);
	return 0;
}
