/* A buffer seen as integers by one and as bytes by the other, under one lock. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned char buf[64];
static void *writer(void *x)
{
	for (uint32_t i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		((uint32_t *)buf)[i % 16] = i; // NORACE
		pthread_mutex_unlock(&m);
	}
	return x;
}
static void *reader(void *x)
{
	unsigned char copy[64];
	int s = 0;
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		memcpy(copy, buf, sizeof copy); // NORACE
		pthread_mutex_unlock(&m);
		s += copy[i % 64];
	}
	return (void *)(intptr_t)s;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, writer, 0);
	pthread_create(&u, 0, reader, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return buf[0]; // NORACE
}
