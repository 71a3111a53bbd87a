/* An item is looked for in a list, and taken out of its middle. The racy one leaves it
   there. */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int key, n;
	struct item *next;
};

static struct item *items;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;

static void add(int key) {
	struct item *it = calloc(1, sizeof *it);
	if (!it)
		return;
	it->key = key;
	pthread_mutex_lock(&mu);
	it->next = items;
	items = it;
	pthread_mutex_unlock(&mu);
}

static struct item *take(int key) {
	struct item **pp, *it = NULL;
	pthread_mutex_lock(&mu);
	for (pp = &items; *pp != NULL; pp = &(*pp)->next) {
		if ((*pp)->key == key) {
			it = *pp;
#ifndef RACY
			*pp = it->next;
#endif
			break;
		}
	}
	pthread_mutex_unlock(&mu);
	return it;
}

static void count(void) {
	pthread_mutex_lock(&mu);
	for (struct item *it = items; it; it = it->next)
		it->n++; // RACE! if RACY
	pthread_mutex_unlock(&mu);
}

static void *work(void *arg) {
	int key = (int)(long)arg;
	add(key);
	count();
	struct item *it = take(key - 1);
	if (it)
		it->n = -1; // RACE! if RACY
	return NULL;
}

int main(void) {
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
