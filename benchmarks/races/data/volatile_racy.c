/* volatile counters: volatile does not make an access atomic, nor does it order anything. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop, rounds;
static int result;
static void *worker(void *a)
{
	int end = 0;
	while (!end && rounds < 10000) {
		end = stop; // RACE!
		rounds++; // NORACE
	}
	result = rounds; // NORACE
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	stop = 1; // RACE!
	pthread_join(t, 0);
	return result + rounds; // NORACE
}
