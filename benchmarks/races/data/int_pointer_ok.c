/* A pointer travels as an integer; the flags in its low bits are taken off again, the object is under its lock. */
#include <pthread.h>
#include <stdint.h>
struct obj { pthread_mutex_t lock; long n; };
static struct obj o = { PTHREAD_MUTEX_INITIALIZER, 0 };
static uintptr_t tagged(struct obj *p, unsigned t) { return (uintptr_t)p | t; }
static void *worker(void *a)
{
	uintptr_t v = (uintptr_t)a;
	struct obj *p = (struct obj *)(v & ~(uintptr_t)1);
	int fast = v & 1;
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&p->lock);
		p->n += fast ? 2 : 1; // NORACE
		pthread_mutex_unlock(&p->lock);
	}
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, (void *)tagged(&o, 0));
	pthread_create(&u, 0, worker, (void *)tagged(&o, 1));
	pthread_join(t, 0);
	pthread_join(u, 0);
	return (int)o.n; // NORACE
}
