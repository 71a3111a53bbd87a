/*
 * The average of two numbers that threads compute is the half of their sum.
 *
 * no-overflow: false, the sum of two numbers near the greatest int does not fit.
 * no-data-race: true, main reads the numbers after both joins.
 */
#include <pthread.h>
int a[2];
void *worker(void *arg)
{
	int *p = arg;
	*p = 2000000000 + (int)(p - a);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	int middle;
	pthread_create(&t1, 0, worker, &a[0]);
	pthread_create(&t2, 0, worker, &a[1]);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	middle = (a[0] + a[1]) / 2;
	return middle == 0;
}
