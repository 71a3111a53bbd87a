/* Which lock is taken depends on an unknown value, and so does what it protects. */
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *worker(void *arg)
{
	int first = __VERIFIER_nondet_bool();
	if (first)
		pthread_mutex_lock(&a);
	else
		pthread_mutex_lock(&b);
	if (first)
		x++; // NORACE
	else
		y++; // NORACE
	pthread_mutex_unlock(first ? &a : &b);
	return arg;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	return 0;
}
