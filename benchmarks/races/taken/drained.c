/* All jobs are taken at once. The racy one empties the list after it has let the lock go:
   another thread has found the same jobs there. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	int n;
	struct job *next;
};

static struct job *jobs;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;

static void *produce(void *arg) {
	for (int i = 0; i < 4; i++) {
		struct job *j = malloc(sizeof *j);
		if (!j)
			return NULL;
		j->n = i;
		pthread_mutex_lock(&mu);
		j->next = jobs;
		jobs = j;
		pthread_mutex_unlock(&mu);
	}
	return arg;
}

static void *consume(void *arg) {
	pthread_mutex_lock(&mu);
	struct job *l = jobs;
#ifdef RACY
	pthread_mutex_unlock(&mu);
	pthread_mutex_lock(&mu);
#endif
	jobs = NULL;
	pthread_mutex_unlock(&mu);
	while (l) {
		struct job *j = l;
		l = l->next;
		j->n++; // RACE! if RACY
	}
	return arg;
}

int main(void) {
	pthread_t p, c[2];
	pthread_create(&p, NULL, produce, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&c[i], NULL, consume, NULL);
	pthread_join(p, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(c[i], NULL);
	return 0;
}
