/* A logger: the format buffer is on the stack, the shared log is under a lock, the level is set before the threads. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char log_buf[256];
static size_t used;
static int level;
static void log_it(int l, const char *what, int n)
{
	char line[32];
	if (l > level) // NORACE
		return;
	int k = snprintf(line, sizeof line, "%s %d\n", what, n);
	pthread_mutex_lock(&lock);
	if (k > 0 && used + (size_t)k < sizeof log_buf) { // NORACE
		memcpy(log_buf + used, line, (size_t)k); // NORACE
		used += (size_t)k; // NORACE
	}
	pthread_mutex_unlock(&lock);
}
static void *worker(void *arg)
{
	for (int i = 0; i < 5; i++)
		log_it(i % 3, "worker", i);
	return arg;
}
int main(void)
{
	pthread_t t, u;
	level = 1; // NORACE
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	log_it(0, "main", 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return used > 0; // NORACE
}
