/* Each object has a word that is its lock: by compare and exchange, or only tried. */
#include <pthread.h>
#include <stdatomic.h>
struct account { long sum; atomic_int busy; int closed; };
static struct account a, b;
static void get(struct account *x)
{
	int free;
	do
		free = 0;
	while (!atomic_compare_exchange_weak_explicit(&x->busy, &free, 1, memory_order_acquire, memory_order_relaxed));
}
static void put(struct account *x)
{
	atomic_store_explicit(&x->busy, 0, memory_order_release);
}
static void *worker(void *arg)
{
	struct account *x = arg;
	get(x);
	x->sum += 5; // NORACE
	put(x);
	return 0;
}
static void *closer(void *arg)
{
	struct account *x = arg;
	if (atomic_exchange(&x->busy, 2) == 0) {
		x->closed = x->sum > 3; // NORACE
		atomic_exchange(&x->busy, 0);
	}
	return 0;
}
int main(void)
{
	pthread_t t[6];
	pthread_create(&t[0], 0, worker, &a);
	pthread_create(&t[1], 0, worker, &a);
	pthread_create(&t[2], 0, worker, &b);
	pthread_create(&t[3], 0, closer, &b);
	pthread_create(&t[4], 0, closer, &a);
	get(&b);
	b.sum--; // NORACE
	put(&b);
	for (int i = 0; i < 5; i++)
		pthread_join(t[i], 0);
	return a.closed + b.closed; // NORACE
}
