/* Any number of threads. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, limit;
static void *worker(void *a)
{
	pthread_mutex_lock(&lock);
	if (n < limit) // NORACE
		n++; // NORACE
	pthread_mutex_unlock(&lock);
	return a;
}
int main(void)
{
	pthread_t t;
	limit = __VERIFIER_nondet_int(); // NORACE
	__VERIFIER_assume(limit > 0);
	while (__VERIFIER_nondet_int())
		pthread_create(&t, 0, worker, 0);
	return 0;
}
