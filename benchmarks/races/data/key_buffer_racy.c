/* pthread_key data: the buffer behind the key is the same for all threads. */
#include <pthread.h>
#include <stdlib.h>
struct buf { int used; char text[32]; };
static pthread_key_t key;
static struct buf common;
static void put(char c)
{
	struct buf *b = pthread_getspecific(key);
	b->text[b->used % 32] = c; // RACE!
	b->used++; // RACE!
}
static void *worker(void *a)
{
	struct buf *b = a;
	if (!b)
		return 0;
	pthread_setspecific(key, b);
	for (int i = 0; i < 1000; i++)
		put('a' + i % 26);
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_key_create(&key, 0);
	pthread_create(&t, 0, worker, &common);
	pthread_create(&u, 0, worker, &common);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
