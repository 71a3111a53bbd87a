/* Each thread adds one under a lock when it is done; main waits for all. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done, data[4], sum;
static void *worker(void *a)
{
	data[(long)a]++; // NORACE
	pthread_mutex_lock(&m);
	done++;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return a;
}
int main(void)
{
	pthread_t t;
	for (long i = 0; i < 4; i++)
		pthread_create(&t, 0, worker, (void *)i);
	pthread_mutex_lock(&m);
	while (done < 4)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 4; i++)
		sum += data[i]; // NORACE
	return sum;
}
