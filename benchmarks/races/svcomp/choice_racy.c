/* Which lock is taken and what is written are chosen apart. Both threads may choose the same variable and different locks. */
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *worker(void *arg)
{
	int first = __VERIFIER_nondet_bool();
	pthread_mutex_lock(first ? &a : &b);
	if (__VERIFIER_nondet_bool())
		x++; // RACE!
	else
		y++; // RACE!
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
