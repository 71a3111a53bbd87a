/*
 * A table of operations with an unknown implementation; all implementations lock inside.
 *
 * unreach-call: true, each implementation adds 1 under the same mutex.
 * no-data-race: true, the counter is under the mutex.
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void add_quick(int k)
{
	pthread_mutex_lock(&m);
	n += k;
	pthread_mutex_unlock(&m);
}
void add_slow(int k)
{
	while (k-- > 0) {
		pthread_mutex_lock(&m);
		n++;
		pthread_mutex_unlock(&m);
	}
}
struct operations { void (*add)(int); };
const struct operations quick = { add_quick }, slow = { add_slow };
const struct operations *ops;
void *worker(void *arg)
{
	ops->add(2);
	return 0;
}
int main(void)
{
	ops = __VERIFIER_nondet_bool() ? &quick : &slow;
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 4);
	return 0;
}
