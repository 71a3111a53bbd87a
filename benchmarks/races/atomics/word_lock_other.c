/* The word of one object is taken, and the other object is changed. */
#include <pthread.h>
#include <stdatomic.h>
struct account { long sum; atomic_int busy; };
static struct account a, b;
static void *move(void *arg)
{
	struct account *from = arg, *to = from == &a ? &b : &a;
	while (atomic_exchange(&from->busy, 1))
		;
	from->sum--; // RACE!
	to->sum++; // RACE!
	atomic_store(&from->busy, 0);
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, move, &a);
	pthread_create(&u, 0, move, &b);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return a.sum; // NORACE
}
