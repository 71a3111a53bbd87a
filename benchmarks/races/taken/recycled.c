/* Buffers go from a list of free ones to a list of full ones and back. The racy one writes to
   a buffer that it has put back. */
#include <pthread.h>
#include <stdlib.h>

struct buf {
	int len;
	struct buf *next;
};

static struct buf *spare, *full;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;

static struct buf *get(struct buf **list) {
	pthread_mutex_lock(&mu);
	struct buf *b = *list;
	if (b)
		*list = b->next;
	pthread_mutex_unlock(&mu);
	return b;
}

static void put(struct buf **list, struct buf *b) {
	pthread_mutex_lock(&mu);
	b->next = *list;
	*list = b;
	pthread_mutex_unlock(&mu);
}

static void *reader(void *arg) {
	for (int i = 0; i < 3; i++) {
		struct buf *b = get(&spare);
		if (!b)
			b = calloc(1, sizeof *b);
		if (!b)
			return NULL;
		b->len = i;
		put(&full, b);
#ifdef RACY
		b->len++; // RACE! if RACY
#endif
	}
	return arg;
}

static void *writer(void *arg) {
	for (int i = 0; i < 3; i++) {
		struct buf *b = get(&full);
		if (b) {
			b->len = 0; // RACE! if RACY
			put(&spare, b);
		}
	}
	return arg;
}

int main(void) {
	pthread_t r, w;
	pthread_create(&r, NULL, reader, NULL);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(r, NULL);
	pthread_join(w, NULL);
	return 0;
}
