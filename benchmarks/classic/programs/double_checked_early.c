// Double-checked locking that shows the object before it is complete, as a compiler may have it that reorders the two writes
// (D. Bacon and others, "The double-checked locking is broken declaration", 2000).
//
// A thread has written the pointer and is preempted; the other one finds the pointer and an object that is not complete.
//
// EXPECT assertion csb=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct config {
	atomic_int size;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct config storage;
static struct config *_Atomic config;

static struct config *get(void)
{
	struct config *c = atomic_load(&config);
	if (!c) {
		pthread_mutex_lock(&m);
		c = atomic_load(&config);
		if (!c) {
			c = &storage;
			atomic_store(&config, c);
			atomic_store(&c->size, 42);
		}
		pthread_mutex_unlock(&m);
	}
	return c;
}

static void *user(void *arg)
{
	struct config *c = get();
	assert(atomic_load(&c->size) == 42);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, user, 0);
	pthread_create(&b, 0, user, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
