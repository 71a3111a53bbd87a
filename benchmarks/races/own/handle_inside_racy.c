/* Objects with the handle of a thread in them, which is not that of the thread that works on the object. */
#include <pthread.h>
#include <stdlib.h>

struct worker {
	long input, result;
	pthread_t id;
};
struct client {
	long count;
	pthread_t id;
};
struct shared {
	long count;
	pthread_t id;
};

static struct worker *all[2];

static void *run(void *arg) {
	struct worker *w = arg;
	w->result = w->input * 2; // RACE!
	return NULL;
}

static void *serve(void *arg) {
	struct client *c = arg;
	c->count++; // RACE!
	return NULL;
}

static void *count(void *arg) {
	struct shared *s = arg;
	s->count++; // RACE!
	return NULL;
}

static void *both(void *arg) {
	pthread_t t;
	pthread_create(&t, NULL, count, arg);
	return NULL;
}

int main(void) {
	long sum = 0;
	pthread_t elsewhere;
	for (int i = 0; i < 2; i++) {
		all[i] = calloc(1, sizeof *all[i]);
		if (!all[i])
			return 1;
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&all[i]->id, NULL, run, all[1 - i]);
	pthread_join(all[0]->id, NULL);
	sum += all[0]->result; // RACE!

	struct client *c = calloc(1, sizeof *c), *d = calloc(1, sizeof *d);
	struct shared *s = calloc(1, sizeof *s);
	if (!c || !d || !s)
		return 1;
	pthread_create(&c->id, NULL, serve, c);
	pthread_create(&elsewhere, NULL, serve, d);
	d->id = c->id;
	pthread_join(d->id, NULL);
	sum += d->count; // RACE!

	pthread_create(&s->id, NULL, both, s);
	pthread_join(s->id, NULL);
	sum += s->count; // RACE!
	return sum;
}
