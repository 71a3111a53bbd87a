/* A wait on another mutex than the one that protects the data. */
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int data;
static void *worker(void *a)
{
	struct timespec ts = { 0, 0 };
	pthread_mutex_lock(&other);
	for (int i = 0; i < 100; i++) {
		pthread_cond_timedwait(&c, &other, &ts);
		data++; // RACE!
	}
	pthread_mutex_unlock(&other);
	return a;
}
static void *writer(void *a)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&m);
		data = 0; // RACE!
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_mutex_lock(&other);
	pthread_mutex_unlock(&other);
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, writer, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return data; // NORACE
}
