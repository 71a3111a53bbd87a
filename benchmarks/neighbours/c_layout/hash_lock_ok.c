// The lock is found by a number in the object, the same for both.
#include <pthread.h>

struct object { int bucket; };
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct object a = {1}, b = {1};
static int n;

static void *add(void *arg) {
	struct object *o = arg;
	pthread_mutex_lock(&locks[o->bucket]);
	n++;
	pthread_mutex_unlock(&locks[o->bucket]);
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, add, &a);
	add(&b);
	return 0;
}
