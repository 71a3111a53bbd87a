/* A callback that relies on its caller's lock is called by one that has none. */
#include <pthread.h>
struct ctx { int sum, max; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct ctx c;
static int data[8];
static void each(void (*f)(int, void *), void *p)
{
	for (int i = 0; i < 8; i++)
		f(data[i], p); // NORACE
}
static void add(int v, void *p) { ((struct ctx *)p)->sum += v; } // RACE!
static void biggest(int v, void *p)
{
	struct ctx *k = p;
	pthread_mutex_lock(&m);
	if (v > k->max) // NORACE
		k->max = v; // NORACE
	pthread_mutex_unlock(&m);
}
static void *worker(void *a)
{
	for (int i = 0; i < 100; i++) {
		each(add, &c);
		each(biggest, &c);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	for (int i = 0; i < 8; i++)
		data[i] = i; // NORACE
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return c.sum + c.max; // NORACE
}
