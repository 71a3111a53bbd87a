/* A constant table of functions with a void pointer for their data: every function takes its object's lock. */
#include <pthread.h>
struct counter { pthread_mutex_t lock; long n; };
struct ops { void (*add)(void *, long); long (*get)(void *); };
static struct counter c = { PTHREAD_MUTEX_INITIALIZER, 0 };
static void add(void *p, long k)
{
	struct counter *x = p;
	pthread_mutex_lock(&x->lock);
	x->n += k; // NORACE
	pthread_mutex_unlock(&x->lock);
}
static long get(void *p)
{
	struct counter *x = p;
	long n;
	pthread_mutex_lock(&x->lock);
	n = x->n; // NORACE
	pthread_mutex_unlock(&x->lock);
	return n;
}
static const struct ops table[] = { { add, get } };
static void *worker(void *p)
{
	const struct ops *o = &table[0];
	for (int i = 0; i < 20000; i++) {
		o->add(p, i);
		if (o->get(p) > 100000)
			o->add(p, -i);
	}
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, &c);
	pthread_create(&u, 0, worker, &c);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return (int)c.n; // NORACE
}
