// A reference count is taken off and added to under a lock: one thread alone finds that its
// reference is the last.
#include <pthread.h>
#include <stdlib.h>

struct object {
	int refs;
	int value;
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void put(struct object *o)
{
	pthread_mutex_lock(&m);
	int n = o->refs;
	o->refs = n - 1;
	pthread_mutex_unlock(&m);
	if (n == 1) {
		o->value = 1;
		free(o);
	}
}

void *user(void *arg)
{
	put(arg);
	return 0;
}

void *getter(void *arg)
{
	struct object *o = arg;
	pthread_mutex_lock(&m);
	int n = o->refs;
	o->refs = n + 1;
	pthread_mutex_unlock(&m);
	put(o);
	put(o);
	return 0;
}

int main(void)
{
	struct object *o = malloc(sizeof *o);
	o->value = 0;
	o->refs = 3;
	pthread_t a, b, c;
	pthread_create(&a, 0, user, o);
	pthread_create(&b, 0, user, o);
	pthread_create(&c, 0, getter, o);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	return 0;
}
