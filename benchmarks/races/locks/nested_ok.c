/* Two locks, one inside the other: either is enough for what both protect. */
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *both(void *p)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&a);
		pthread_mutex_lock(&b);
		x++; // NORACE
		pthread_mutex_unlock(&b);
		pthread_mutex_unlock(&a);
	}
	return p;
}
static void *one(void *p)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&a);
		x--; // NORACE
		pthread_mutex_unlock(&a);
	}
	return p;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, both, 0);
	pthread_create(&u, 0, one, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return x; // NORACE
}
