/*
 * Threads call a function that calls itself with a smaller number each time.
 *
 * termination: true, the number is four at first, and the function does not call itself with 0.
 * no-data-race: true, each thread has numbers of its own.
 */
#include <pthread.h>
int sum(int n)
{
	return n == 0 ? 0 : n + sum(n - 1);
}
void *worker(void *arg)
{
	return sum(4) == 10 ? arg : 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
