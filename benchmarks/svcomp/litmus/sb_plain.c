/*
 * Store buffering with plain variables, judged under sequential consistency.
 *
 * unreach-call: true, the store that comes last is followed by a read that sees the other store.
 * no-data-race: false, each variable is stored by one thread and read by the other with no synchronisation.
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
int x, y;
int r1, r2;
void *thread1(void *arg)
{
	x = 1;
	r1 = y;
	return 0;
}
void *thread2(void *arg)
{
	y = 1;
	r2 = x;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, thread1, 0);
	pthread_create(&t2, 0, thread2, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(!(r1 == 0 && r2 == 0));
	return 0;
}
