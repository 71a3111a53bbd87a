/* The members of a union share their bytes, whatever their names. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static union { int word; unsigned char byte[4]; short half[2]; } u;
static void *words(void *x)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		u.word = i; // RACE!
		pthread_mutex_unlock(&m);
	}
	return x;
}
static void *bytes(void *x)
{
	for (int i = 0; i < 1000; i++) {
		u.byte[2]++; // RACE!
	}
	return x;
}
int main(void)
{
	pthread_t t, v;
	pthread_create(&t, 0, words, 0);
	pthread_create(&v, 0, bytes, 0);
	pthread_join(t, 0);
	pthread_join(v, 0);
	return u.half[1]; // NORACE
}
