// An operation of a monitor that calls another one: the lock is taken twice by one thread (the nested call of B. K. Haddon,
// "Nested monitor calls", ACM Operating Systems Review 11(4), 1977, of a monitor by itself).
//
// Only a thread that finds nothing refills, and the second one does find nothing: one after the other, without preemption.
//
// EXPECT double-lock csb=0
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static void refill(void)
{
	pthread_mutex_lock(&m);
	stock++;
	pthread_mutex_unlock(&m);
}

static void *taker(void *arg)
{
	pthread_mutex_lock(&m);
	if (stock == 0)
		refill();
	stock--;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, taker, 0);
	pthread_create(&b, 0, taker, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
