/*
 * Main replaces the table of operations while a thread uses it.
 *
 * unreach-call: true, both implementations add 1 to the counter of the only caller.
 * no-data-race: false, the store and the read of the table pointer are not ordered.
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
int n;
void add_up(void) { n++; }
void add_one(void) { n += 1; }
struct operations { void (*add)(void); };
const struct operations first = { add_up }, second = { add_one };
const struct operations *ops = &first;
void *worker(void *arg)
{
	ops->add();
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, worker, 0);
	ops = &second;
	pthread_join(t1, 0);
	__VERIFIER_assert(n == 1);
	return 0;
}
