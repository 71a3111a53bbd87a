/* The readers write under the shared lock. */
#include <pthread.h>
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int value, seen;
static void *reader(void *a)
{
	pthread_rwlock_rdlock(&rw);
	int v = value;
	seen += v; // RACE!
	pthread_rwlock_unlock(&rw);
	return 0;
}
static void *writer(void *a)
{
	pthread_rwlock_wrlock(&rw);
	value++; // NORACE
	pthread_rwlock_unlock(&rw);
	return 0;
}
int main(void)
{
	pthread_t r1, r2, w;
	pthread_create(&r1, 0, reader, 0);
	pthread_create(&r2, 0, reader, 0);
	pthread_create(&w, 0, writer, 0);
	pthread_join(r1, 0);
	pthread_join(r2, 0);
	pthread_join(w, 0);
	return seen;
}
