/* Threads draw numbers from a counter, and work on the elements with these numbers: under a lock, with an atomic addition, several at a time, counted from one. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define N 64
#define CHUNK 4

struct job { int input; long result; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next;
static long slots[N];

static atomic_long ticket;
static struct job *jobs;

static long begin;
static int pieces[N + CHUNK];

static struct {
	pthread_mutex_t lock;
	int used, size;
} pool = {PTHREAD_MUTEX_INITIALIZER, 0, N};
static char names[N + 1];

static atomic_long round_next;
static long rounds[N];

static void *by_lock(void *arg) {
	for (;;) {
		pthread_mutex_lock(&lock);
		if (next >= N) { // NORACE
			pthread_mutex_unlock(&lock);
			return arg;
		}
		int mine = next++; // NORACE
		pthread_mutex_unlock(&lock);
		slots[mine] += mine; // NORACE
	}
}

static void *by_addition(void *arg) {
	long i;
	while ((i = atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed)) < N) {
		struct job *j = &jobs[i];
		j->result = j->input * 2; // NORACE
	}
	return arg;
}

static void *by_chunks(void *arg) {
	for (long from; (from = __sync_fetch_and_add(&begin, CHUNK)) < N;)
		for (long i = from; i < from + CHUNK; i++)
			pieces[i]++; // NORACE
	return arg;
}

static void *from_one(void *arg) {
	pthread_mutex_lock(&pool.lock);
	int id = pool.used < pool.size ? ++pool.used : 0; // NORACE
	pthread_mutex_unlock(&pool.lock);
	if (id)
		names[id] = 'x'; // NORACE
	return arg;
}

static void *in_rounds(void *arg) {
	long i = atomic_fetch_add(&round_next, 1);
	if (i < N)
		rounds[i]++; // NORACE
	return arg;
}

int main(void) {
	static void *(*const work[])(void *) = {by_lock, by_addition, by_chunks, from_one};
	pthread_t t[8];
	jobs = calloc(N, sizeof *jobs);
	if (!jobs)
		return 1;
	for (int i = 0; i < N; i++)
		jobs[i].input = i; // NORACE
	next = 1; // NORACE
	for (int i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, work[i % 4], NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	for (int k = 0; k < 2; k++) {
		round_next = 0;
		for (int i = 0; i < 8; i++)
			pthread_create(&t[i], NULL, in_rounds, NULL);
		for (int i = 0; i < 8; i++)
			pthread_join(t[i], NULL);
	}
	return jobs[0].result + slots[0] + pieces[0] + names[1] + rounds[0]; // NORACE
}
