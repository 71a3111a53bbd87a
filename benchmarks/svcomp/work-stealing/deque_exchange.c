/*
 * A deque in the style of Chase and Lev: the last task is decided by a compare-and-exchange of the start.
 *
 * unreach-call: true, the owner first lowers the end, so a task away from the start is its own; for the last
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
atomic_int first, end = 2;
int runs[2];
void *owner(void *arg)
{
	for (int i = 0; i < 2; i++) {
		int e = atomic_load(&end) - 1;
		atomic_store(&end, e);
		int f = atomic_load(&first);
		if (f < e) {
			runs[e]++;
			continue;
		}
		if (f == e) {
			if (atomic_compare_exchange_strong(&first, &f, f + 1))
				runs[e]++;
		}
		atomic_store(&end, e + 1);
		break;
	}
	return 0;
}
void *thief(void *arg)
{
	int f = atomic_load(&first);
	int e = atomic_load(&end);
	if (f < e && atomic_compare_exchange_strong(&first, &f, f + 1))
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
