/* The handle of a thread lies in the object that the thread works on; objects are made one by one, and freed when their threads have ended. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct worker {
	long input, result;
	pthread_t id;
};

static struct worker *all[8];

static void *run(void *arg) {
	struct worker *w = arg;
	w->result = w->input * 2; // NORACE
	return NULL;
}

static long finish(struct worker *w) {
	pthread_join(w->id, NULL);
	long r = w->result; // NORACE
	free(w); // NORACE
	return r;
}

int main(void) {
	long sum = 0;
	for (int i = 0; i < 8; i++) {
		struct worker *w = malloc(sizeof *w);
		if (!w)
			return 1;
		memset(w, 0, sizeof *w); // NORACE
		w->input = i; // NORACE
		all[i] = w;
		pthread_create(&w->id, NULL, run, w);
	}
	for (int i = 0; i < 4; i++) {
		struct worker *w = all[i];
		pthread_join(w->id, NULL);
		sum += w->result; // NORACE
		w->input = 0; // NORACE
		pthread_create(&w->id, NULL, run, w);
	}
	for (int i = 0; i < 8; i++)
		sum += finish(all[i]);
	return sum;
}
