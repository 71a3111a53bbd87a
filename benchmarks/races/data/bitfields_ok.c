/* Neighbouring bit-fields are one memory location: one lock for both; a zero-width field divides two locations. */
#include <pthread.h>
static pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
static struct { unsigned a : 3, b : 5; unsigned : 0; unsigned c : 4; } f;
static void *left(void *x)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&ma);
		f.a++; // NORACE
		pthread_mutex_unlock(&ma);
	}
	return x;
}
static void *right(void *x)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&ma);
		f.b++; // NORACE
		pthread_mutex_unlock(&ma);
	}
	pthread_mutex_lock(&mb);
	f.c = 1; // NORACE
	pthread_mutex_unlock(&mb);
	return x;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, left, 0);
	pthread_create(&u, 0, right, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return f.a + f.b + f.c; // NORACE
}
