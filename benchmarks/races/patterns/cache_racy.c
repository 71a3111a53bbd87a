/* A cache with a read-write lock: a hit counter is written under the read lock. */
#include <pthread.h>
#define N 8
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct { int key, value, used; } entry[N];
static int hits;
static int lookup(int key, int *value)
{
	int found = 0;
	pthread_rwlock_rdlock(&lock);
	for (int i = 0; i < N; i++)
		if (entry[i].used && entry[i].key == key) { // NORACE
			*value = entry[i].value; // NORACE
			hits++; // RACE!
			found = 1;
			break;
		}
	pthread_rwlock_unlock(&lock);
	return found;
}
static void insert(int key, int value)
{
	pthread_rwlock_wrlock(&lock);
	entry[key % N].key = key; // NORACE
	entry[key % N].value = value; // NORACE
	entry[key % N].used = 1; // NORACE
	pthread_rwlock_unlock(&lock);
}
static void *worker(void *arg)
{
	for (int i = 0; i < 500; i++) {
		int v;
		if (!lookup(i / 100, &v))
			insert(i / 100, i);
	}
	return arg;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return hits; // NORACE
}
