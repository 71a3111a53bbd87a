// Double-checked locking whose pointer is not atomic (D. Bacon and others, "The double-checked locking is broken declaration",
// 2000).
//
// A thread is about to write the pointer, with the lock held, and is preempted before; the other one is about to read it,
// without. With sequential consistency nothing else can be seen of it.
//
// EXPECT race csb=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct config {
	int size;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct config storage;
static struct config *config;

static struct config *get(void)
{
	struct config *c = config; // RACE!
	if (!c) {
		pthread_mutex_lock(&m);
		c = config;
		if (!c) {
			c = &storage;
			c->size = 42;
			config = c; // RACE!
		}
		pthread_mutex_unlock(&m);
	}
	return c;
}

static void *user(void *arg)
{
	struct config *c = get();
	assert(c->size == 42);
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
