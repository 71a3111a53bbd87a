/*
 * A deque in the style of Chase and Lev: the last task is decided by a compare-and-exchange of the top.
 *
 * unreach-call: true, the owner first lowers the bottom, so a task away from the top is its own; for the last
 *   task one exchange wins.
 * no-data-race: true, the indices are atomic, each run counter is touched by the one who got the task.
 */
#include <pthread.h>
#include <stdatomic.h>
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
atomic_int top, bottom = 2;
int runs[2];
void *owner(void *arg)
{
	for (int i = 0; i < 2; i++) {
		int e = atomic_load(&bottom) - 1;
		atomic_store(&bottom, e);
		int f = atomic_load(&top);
		if (f < e) {
			runs[e]++;
			continue;
		}
		if (f == e) {
			if (atomic_compare_exchange_strong(&top, &f, f + 1))
				runs[e]++;
		}
		atomic_store(&bottom, e + 1);
		break;
	}
	return 0;
}
void *thief(void *arg)
{
	int f = atomic_load(&top);
	int e = atomic_load(&bottom);
	if (f < e && atomic_compare_exchange_strong(&top, &f, f + 1))
		runs[f]++;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, owner, 0);
	pthread_create(&t2, 0, thief, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(runs[0] <= 1 && runs[1] <= 1);
	return 0;
}
