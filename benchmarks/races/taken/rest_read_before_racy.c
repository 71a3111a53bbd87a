/* What a new job leads to was read before the lock was given back. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	int n;
	struct job *next;
};

static struct job *jobs;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;

static struct job *new_job(void) {
	struct job *j = calloc(1, sizeof *j);
	if (!j)
		exit(1);
	return j;
}

static struct job *take(struct job **list) {
	pthread_mutex_lock(&mu);
	struct job *j = *list;
	if (j)
		*list = j->next;
	pthread_mutex_unlock(&mu);
	return j;
}

static void use(struct job **list) {
	struct job *j = take(list);
	if (j)
		j->n++; // RACE!
}

static void put(void) {
	struct job *j = new_job();
	pthread_mutex_lock(&mu);
	struct job *rest = jobs;
	pthread_mutex_unlock(&mu);
	pthread_mutex_lock(&mu);
	j->next = rest;
	jobs = j;
	pthread_mutex_unlock(&mu);
}

static void *work(void *arg) {
	put();
	use(&jobs);
	use(&jobs);
	return arg;
}

int main(void) {
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
