/*
 * Two threads use two bit-fields next to each other.
 *
 * no-data-race: false, adjacent bit-fields are one memory location (C11, 3.14), and both threads write it.
 */
#include <pthread.h>
struct flags { unsigned a : 1; unsigned b : 1; } f;
void *first(void *arg)
{
	f.a = 1;
	return 0;
}
void *second(void *arg)
{
	f.b = 1;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, first, 0);
	pthread_create(&t2, 0, second, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
