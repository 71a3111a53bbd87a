/* Per-thread statistics, added up by main after the joins. */
#include <pthread.h>
#define N 4
struct stat { pthread_t id; int from, to; long sum; };
static void *worker(void *arg)
{
	struct stat *s = arg;
	for (int i = s->from; i < s->to; i++)
		s->sum += i; // NORACE
	return 0;
}
int main(void)
{
	struct stat st[N];
	long total = 0;
	for (int i = 0; i < N; i++) {
		st[i].from = i * 10;
		st[i].to = i * 10 + 10;
		st[i].sum = 0; // NORACE
		pthread_create(&st[i].id, 0, worker, &st[i]);
	}
	for (int i = 0; i < N; i++) {
		pthread_join(st[i].id, 0);
		total += st[i].sum; // NORACE
	}
	return total == 780;
}
