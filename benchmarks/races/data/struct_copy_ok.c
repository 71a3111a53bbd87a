/* A struct is copied as a whole under the lock, its members are changed under it too. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct point { long x, y, z; };
static struct point p;
static void *mover(void *a)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		p.x++; // NORACE
		p.y--; // NORACE
		pthread_mutex_unlock(&m);
	}
	return a;
}
static struct point get(void)
{
	struct point q;
	pthread_mutex_lock(&m);
	q = p; // NORACE
	pthread_mutex_unlock(&m);
	return q;
}
static void *reader(void *a)
{
	long bad = 0;
	for (int i = 0; i < 1000; i++) {
		struct point q = get();
		bad += q.x + q.y != 0;
	}
	return (void *)bad;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, mover, 0);
	pthread_create(&u, 0, reader, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return (int)p.z; // NORACE
}
