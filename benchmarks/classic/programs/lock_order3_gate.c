// Three locks that are taken in a cycle of orders, behind a gate: a lock that is held while the two others are taken (a "gate
// lock" or "guard lock" in the sense of K. Havelund, "Using runtime analysis to guide model checking of Java programs", SPIN
// 2000).
//
// Who waits for a lock holds the gate, and who holds a lock without the gate waits for nothing.
//
// EXPECT none csb=2 deep=4
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(&gate);
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
