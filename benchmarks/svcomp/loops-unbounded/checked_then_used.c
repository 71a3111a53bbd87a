/*
 * A thread checks items, of which nothing is known, one after the other; the program ends where one is bad. Another thread uses those that were checked.
 *
 * unreach-call: true, an item that is used was checked before.
 * no-data-race: true, the counters are written in atomic sections, and read outside of them by the thread that writes them alone.
 */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}

int *items;
int n, checked, used;
void *checker(void *arg)
{
	while (checked < n) {
		__VERIFIER_atomic_begin();
		if (items[checked] < 0)
			abort();
		checked++;
		__VERIFIER_atomic_end();
	}
	return 0;
}
void *user(void *arg)
{
	while (used < n) {
		__VERIFIER_atomic_begin();
		if (used < checked) {
			__VERIFIER_assert(items[used] >= 0);
			used++;
		}
		__VERIFIER_atomic_end();
	}
	return 0;
}
int main(void)
{
	pthread_t t, u;
	n = __VERIFIER_nondet_int();
	if (n < 0 || n > 1000000)
		abort();
	items = malloc(n * sizeof(int));
	if (!items)
		abort();
	for (int i = 0; i < n; i++)
		items[i] = __VERIFIER_nondet_int();
	pthread_create(&t, 0, checker, 0);
	pthread_create(&u, 0, user, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
