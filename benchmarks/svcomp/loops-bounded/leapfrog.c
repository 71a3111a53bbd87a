/*
 * Two threads leap over each other, fourteen times each, by two and by one.
 *
 * unreach-call: true, both take turns at best: 14 times three is 42.
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
int a, b;
void *left(void *arg)
{
	for (int i = 0; i < 14; i++) {
		__VERIFIER_atomic_begin();
		a = b + 2;
		__VERIFIER_atomic_end();
	}
	return 0;
}
void *right(void *arg)
{
	for (int i = 0; i < 14; i++) {
		__VERIFIER_atomic_begin();
		b = a + 1;
		__VERIFIER_atomic_end();
	}
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, left, 0);
	pthread_create(&u, 0, right, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	__VERIFIER_assert(a <= 42 && b <= 42);
	return 0;
}
