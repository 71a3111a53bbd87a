/*
 * Two bit-fields are kept apart by a field of width 0.
 *
 * unreach-call: true, each bit-field is written by one thread only and in a location of its own.
 * no-data-race: true, the field of width 0 starts a new memory location (C11, 3.14).
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
struct flags { unsigned a : 1; unsigned : 0; unsigned b : 1; } f;
void *first(void *arg)
{
	f.a = 1;
	return 0;
}
void *second(void *arg)
{
	f.b = 1;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, first, 0);
	pthread_create(&t2, 0, second, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(f.a == 1 && f.b == 1);
	return 0;
}
