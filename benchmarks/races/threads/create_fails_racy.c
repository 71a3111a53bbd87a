/* The second thread may fail to start: then main looks at the result at once. Why it races: the first thread, which did start,
 * is still adding to the result; ThreadSanitizer would have to run out of threads at that point. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *worker(void *a)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		n++; // RACE!
		pthread_mutex_unlock(&m);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	if (pthread_create(&t, 0, worker, 0))
		return n; // NORACE
	if (pthread_create(&u, 0, worker, 0)) {
		return n; // RACE!
	}
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n; // NORACE
}
