/* A queue of jobs with a pointer to the last one. Who takes a job out has it alone. The racy
   one leaves the pointer to the last one behind when the queue was empty: it leads to a job
   that somebody has. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	int n;
	struct job *next;
};

struct queue {
	pthread_mutex_t mu;
	pthread_cond_t more;
	struct job *first, *last;
	int closed;
};

static struct queue jobs = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER };

static void append(struct queue *q, int n) {
	struct job *j = malloc(sizeof *j);
	if (!j)
		return;
	j->n = n;
	j->next = NULL;
	pthread_mutex_lock(&q->mu);
	if (q->first == NULL)
		q->first = j;
	else
		q->last->next = j; // RACE! if RACY
#ifdef RACY
	if (q->last == NULL)
#endif
	q->last = j;
	pthread_cond_signal(&q->more);
	pthread_mutex_unlock(&q->mu);
}

static struct job *take(struct queue *q) {
	pthread_mutex_lock(&q->mu);
	while (q->first == NULL && !q->closed)
		pthread_cond_wait(&q->more, &q->mu);
	struct job *j = q->first;
	if (j != NULL) {
		q->first = j->next; // RACE! if RACY
	}
	pthread_mutex_unlock(&q->mu);
	return j;
}

static void *work(void *arg) {
	struct job *j;
	while ((j = take(arg)) != NULL) {
		j->n++; // RACE! if RACY
		free(j); // RACE! if RACY
	}
	return NULL;
}

int main(void) {
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, &jobs);
	for (int i = 0; i < 9; i++)
		append(&jobs, i);
	pthread_mutex_lock(&jobs.mu);
	jobs.closed = 1;
	pthread_cond_broadcast(&jobs.more);
	pthread_mutex_unlock(&jobs.mu);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
