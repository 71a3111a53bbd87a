/* Two locks: one thread takes the first, the other the second. */
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *both(void *p)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&b);
		x++; // RACE!
		pthread_mutex_unlock(&b);
	}
	return p;
}
static void *one(void *p)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&a);
		x--; // RACE!
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
