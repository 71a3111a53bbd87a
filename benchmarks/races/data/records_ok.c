/* An array of structs: one thread owns one member of all, the other another, a third member is under a lock. */
#include <pthread.h>
#define N 8
struct rec { int in, out, both; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct rec recs[N];
static void note(int i)
{
	pthread_mutex_lock(&m);
	recs[i % N].both++; // NORACE
	pthread_mutex_unlock(&m);
}
static void *input(void *a)
{
	for (int i = 0; i < 1000; i++) {
		recs[i % N].in++; // NORACE
		if (i % 100 == 0)
			note(i);
	}
	return a;
}
static void *output(void *a)
{
	for (int i = 0; i < 1000; i++) {
		recs[i % N].out++; // NORACE
		if (i % 100 == 50)
			note(i + 1);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, input, 0);
	pthread_create(&u, 0, output, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return recs[0].in + recs[1].out + recs[2].both; // NORACE
}
