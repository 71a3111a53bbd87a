/* What qsort and bsearch call runs in their caller, and so does not hold the lock that another thread takes. */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int key, weight;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct item items[8];
struct item *order[8];
int compared;

int by_key(const void *a, const void *b) {
	compared++; // RACE!
	return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

int by_weight(const void *a, const void *b) {
	return (*(struct item *const *)a)->weight - (*(struct item *const *)b)->weight; // RACE!
}

void *sorter(void *arg) {
	struct item own[4] = {{3}, {1}, {2}, {0}}, wanted = {2};
	qsort(own, 4, sizeof own[0], by_key);
	bsearch(&wanted, own, 4, sizeof own[0], by_key);
	struct item *heavy[2] = {&items[0], &items[1]};
	qsort(heavy, 2, sizeof heavy[0], by_weight);
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, sorter, NULL);
	pthread_mutex_lock(&lock);
	compared++;          // RACE!
	items[0].weight = 7; // RACE!
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
