/*
 * A pile of 200 numbers, with a lock: one thread puts on, the other takes off. Both look at error codes.
 *
 * unreach-call: false, a number that is put on is the error code.
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
#define MOST 20
#define NOTHING (-3)
int pile[MOST], height;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int put(int v)
{
	if (height == MOST)
		return NOTHING;
	pile[height] = v;
	height = height + 1;
	return 0;
}
int take(void)
{
	if (height == 0)
		return NOTHING;
	height = height - 1;
	return pile[height];
}
void *filler(void *arg)
{
	for (int i = 0; i < MOST; i++) {
		int v = __VERIFIER_nondet_int();
		if (v < -5)
			abort();
		pthread_mutex_lock(&m);
		__VERIFIER_assert(put(v) != NOTHING);
		pthread_mutex_unlock(&m);
	}
	return 0;
}
void *taker(void *arg)
{
	for (int i = 0; i < MOST; i++) {
		pthread_mutex_lock(&m);
		if (height > 0)
			__VERIFIER_assert(take() != NOTHING);
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, filler, 0);
	pthread_create(&b, 0, taker, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
