/* REFUTED: with the lock free, trylock takes it. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	assert(pthread_mutex_trylock(&m) != 0);
	return 0;
}
