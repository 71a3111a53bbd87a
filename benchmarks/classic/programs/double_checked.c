// Double-checked locking: an object is made by the first who needs it, and who finds it made takes no lock (D. C. Schmidt and
// T. Harrison, "Double-checked locking", Pattern Languages of Program Design 3, 1997).
//
// The pointer is atomic and is written when the object is complete.
//
// EXPECT none csb=1 all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct config {
	int size;
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
			c->size = 42;
			atomic_store(&config, c);
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
