/* A struct of arguments for each thread, in an array; the results are read after the joins. */
#include <pthread.h>
#define N 4
struct job { int from, to; long sum; };
static struct job jobs[N];
static void *run(void *p)
{
	struct job *j = p;
	struct job *to = j;
	for (int i = j->from; i < j->to; i++) // NORACE
		to->sum += i; // NORACE
	return 0;
}
int main(void)
{
	pthread_t id[N];
	long total = 0;
	for (int i = 0; i < N; i++) {
		jobs[i].from = i * 1000; // NORACE
		jobs[i].to = i * 1000 + 1000; // NORACE
		pthread_create(&id[i], 0, run, &jobs[i]);
	}
	for (int i = 0; i < N; i++)
		pthread_join(id[i], 0);
	for (int i = 0; i < N; i++)
		total += jobs[i].sum; // NORACE
	return total != 0;
}
