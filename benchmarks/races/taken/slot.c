/* A box for one message, which who leaves another one there takes out. The racy one leaves it
   there. */
#include <pthread.h>
#include <stdlib.h>

struct msg {
	int n;
};

static struct {
	pthread_mutex_t mu;
	struct msg *now;
} box = { PTHREAD_MUTEX_INITIALIZER };

static void *produce(void *arg) {
	struct msg *m = malloc(sizeof *m);
	if (!m)
		return NULL;
	m->n = 1;
	pthread_mutex_lock(&box.mu);
	struct msg *old = box.now;
	box.now = m;
	pthread_mutex_unlock(&box.mu);
	if (old)
		old->n = 2; // RACE! if RACY
	return arg;
}

static void *consume(void *arg) {
	pthread_mutex_lock(&box.mu);
	struct msg *m = box.now;
#ifndef RACY
	box.now = NULL;
#endif
	pthread_mutex_unlock(&box.mu);
	if (m)
		m->n++; // RACE! if RACY
	return arg;
}

int main(void) {
	pthread_t t[4];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, produce, NULL);
	for (int i = 2; i < 4; i++)
		pthread_create(&t[i], NULL, consume, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
