/* An array of structs: both threads write the same member of some element, without the lock. */
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
		recs[i % N].in++; // RACE!
		if (i % 100 == 0)
			note(i);
	}
	return a;
}
static void *output(void *a)
{
	for (int i = 0; i < 1000; i++) {
		if (i % N == 3)
			recs[i % N].in--; // RACE!
		else
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
