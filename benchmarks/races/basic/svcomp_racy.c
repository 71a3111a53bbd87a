/* A read outside the atomic sections. */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
static int x;
static void *worker(void *a)
{
	for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
		__VERIFIER_atomic_begin();
		x++; // RACE!
		__VERIFIER_atomic_end();
	}
	return 0;
}
int main(void)
{
	pthread_t t;
	int r = 0;
	while (__VERIFIER_nondet_int()) {
		pthread_create(&t, 0, worker, 0);
		__VERIFIER_atomic_begin();
		__VERIFIER_atomic_end();
		r += x; // RACE!
	}
	return r;
}
