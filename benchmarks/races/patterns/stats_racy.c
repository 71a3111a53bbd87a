/* Per-thread statistics that main adds up while the threads run. */
#include <pthread.h>
#define N 4
struct stat { pthread_t id; int from, to; long sum; };
static struct stat st[N];
static void *worker(void *arg)
{
	struct stat *s = arg;
	for (int i = s->from; i < s->to; i++)
		s->sum += i; // RACE!
	return 0;
}
int main(void)
{
	long total = 0;
	for (int i = 0; i < N; i++) {
		st[i].from = i * 10;
		st[i].to = i * 10 + 10000;
		pthread_create(&st[i].id, 0, worker, &st[i]);
	}
	for (int i = 0; i < N; i++)
		total += st[i].sum; // RACE!
	for (int i = 0; i < N; i++)
		pthread_join(st[i].id, 0);
	return (int)total;
}
