/* VERIFIED: a lock that is held is not free, a semaphore counts. */
#ifndef END
#define END
#endif
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static sem_t s;
static int ran;
static void once(void) { ran++; }

int main(void)
{
	pthread_mutex_lock(&m);
	assert(pthread_mutex_trylock(&m) != 0);
	pthread_mutex_unlock(&m);
	assert(pthread_mutex_trylock(&m) == 0);
	pthread_rwlock_rdlock(&r);
	assert(pthread_rwlock_trywrlock(&r) != 0);
	pthread_rwlock_unlock(&r);
	sem_init(&s, 0, 1);
	sem_wait(&s);
	assert(sem_trywait(&s) != 0);
	sem_post(&s);
	assert(sem_trywait(&s) == 0);
	pthread_once(&o, once);
	pthread_once(&o, once);
	assert(ran == 1);
	END;
	return 0;
}
