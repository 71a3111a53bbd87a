/* Functions named __VERIFIER_atomic_… and sections between begin and end exclude each other. */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
static int x, y;
static void __VERIFIER_atomic_inc(void)
{
	x++; // NORACE
	y++; // NORACE
}
static void *worker(void *a)
{
	for (int i = 0; i < __VERIFIER_nondet_int(); i++)
		__VERIFIER_atomic_inc();
	__VERIFIER_atomic_begin();
	x += y; // NORACE
	__VERIFIER_atomic_end();
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	__VERIFIER_atomic_begin();
	int s = x; // NORACE
	__VERIFIER_atomic_end();
	pthread_join(t, 0);
	pthread_join(u, 0);
	return s + x; // NORACE
}
