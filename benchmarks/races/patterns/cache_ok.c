/* A cache with a read-write lock: lookups share it, insertions and the counters' reset hold it alone. */
#include <pthread.h>
#include <string.h>
#define N 8
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct { int key, value, used; } entry[N];
static int inserts;
static int lookup(int key, int *value)
{
	int found = 0;
	pthread_rwlock_rdlock(&lock);
	for (int i = 0; i < N; i++)
		if (entry[i].used && entry[i].key == key) { // NORACE
			*value = entry[i].value; // NORACE
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
	inserts++; // NORACE
	pthread_rwlock_unlock(&lock);
}
static void *worker(void *arg)
{
	for (int i = 0; i < 50; i++) {
		int v;
		if (!lookup(i, &v))
			insert(i, i * i);
	}
	return arg;
}
int main(void)
{
	pthread_t t, u;
	memset(entry, 0, sizeof entry);
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return inserts; // NORACE
}
