// Three locks that are taken in a cycle of orders, a before b, b before c, c before a (E. G. Coffman, M. J. Elphick and A.
// Shoshani, "System deadlocks", ACM Computing Surveys 3(2), 1971).
//
// No two threads can do it, they share one lock. One preemption is enough all the same: the first holds a and is preempted; the
// third takes c and waits for a; the second takes b and waits for c; the first waits for b. Who waits is left for free.
//
// EXPECT deadlock csb=1
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *one(void *arg)
{
	take(&a, &b);
	return arg;
}

static void *two(void *arg)
{
	take(&b, &c);
	return arg;
}

static void *three(void *arg)
{
	take(&c, &a);
	return arg;
}

int main(void)
{
	pthread_t t, u, v;
	pthread_create(&t, 0, one, 0);
	pthread_create(&u, 0, two, 0);
	pthread_create(&v, 0, three, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	return 0;
}
