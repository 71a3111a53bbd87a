/* The waiter looks at the state once more after the unlock. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int state, seen;
static void *setter(void *a)
{
	for (int i = 1; i <= 3000; i++) {
		pthread_mutex_lock(&m);
		state = i; // RACE!
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m);
	}
	return a;
}
static void *waiter(void *a)
{
	int last;
	pthread_mutex_lock(&m);
	while (state < 1) // NORACE
		pthread_cond_wait(&c, &m);
	seen++; // NORACE
	last = state; // NORACE
	pthread_mutex_unlock(&m);
	if (state != last) // RACE!
		return 0;
	return last ? a : 0;
}
int main(void)
{
	pthread_t s, w[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&w[i], 0, waiter, 0);
	pthread_create(&s, 0, setter, 0);
	pthread_join(s, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(w[i], 0);
	return seen; // NORACE
}
