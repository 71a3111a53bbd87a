/* Any number of threads, and main goes on changing the limit they read. Two threads are enough; seen by ThreadSanitizer with the
 * unknown values replaced by random ones. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, limit;
static void *worker(void *a)
{
	pthread_mutex_lock(&lock);
	if (n < limit) // RACE!
		n++; // NORACE
	pthread_mutex_unlock(&lock);
	return a;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_int()) {
		limit = __VERIFIER_nondet_int(); // RACE!
		pthread_create(&t, 0, worker, 0);
	}
	return 0;
}
