/* Threads that get a number each, and do not have the elements with that number to themselves. */
#include <pthread.h>
#include <stdlib.h>
#define N 8

static int halves[N], next[N], again[N], both[N], small[N];
static int *block, *other, *way;

static void *half(void *arg) {
	halves[(long)arg]++; // RACE!
	return NULL;
}

static void *neighbour(void *arg) {
	long i = (long)arg;
	next[i] = next[i + 1]; // RACE!
	return NULL;
}

static void *twice(void *arg) {
	again[(long)arg]++; // RACE!
	return NULL;
}

static void *one(void *arg) {
	both[(long)arg]++; // RACE!
	return NULL;
}

static void *two(void *arg) {
	both[(long)arg]++; // RACE!
	return NULL;
}

static void *narrow(void *arg) {
	small[(unsigned char)(long)arg]++; // RACE!
	return NULL;
}

static void *shifted(void *arg) {
	long i = (long)arg;
	block[i]++; // RACE!
	other[i]++; // RACE!
	return NULL;
}

static void *moved(void *arg) {
	way[(long)arg]--; // RACE!
	return NULL;
}

int main(void) {
	pthread_t t;
	block = calloc(2 * N, sizeof *block);
	other = block + 1;
	way = calloc(2 * N, sizeof *way);
	for (long i = 0; i < N; i++)
		pthread_create(&t, NULL, half, (void *)(i / 2));
	for (long i = 0; i < N - 1; i++)
		pthread_create(&t, NULL, neighbour, (void *)i);
	for (int k = 0; k < 2; k++)
		for (long i = 0; i < N; i++)
			pthread_create(&t, NULL, twice, (void *)i);
	for (long i = 0; i < N; i++) {
		pthread_create(&t, NULL, one, (void *)i);
		pthread_create(&t, NULL, two, (void *)i);
	}
	for (long i = 0; i < 2; i++)
		pthread_create(&t, NULL, narrow, (void *)(i << 8));
	for (long i = 0; i < N; i++)
		pthread_create(&t, NULL, shifted, (void *)i);
	for (long i = 0; i < 2; i++) {
		pthread_create(&t, NULL, moved, (void *)(1 - i));
		way = way + i; // RACE!
	}
	return 0;
}
