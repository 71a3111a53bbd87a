/* Two phases of threads, but the second is started before the first is joined. */
#include <pthread.h>
static int table[4];
static long total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *fill(void *a)
{
	for (int i = 0; i < 4; i++)
		table[i] = i; // RACE!
	return a;
}
static void *sum(void *a)
{
	long s = 0;
	for (int i = 0; i < 4; i++)
		s += table[i]; // RACE!
	pthread_mutex_lock(&m);
	total += s; // NORACE
	pthread_mutex_unlock(&m);
	return a;
}
int main(void)
{
	pthread_t f, s[2];
	pthread_create(&f, 0, fill, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&s[i], 0, sum, 0);
	pthread_join(f, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(s[i], 0);
	return (int)total; // NORACE
}
