/*
 * All threads get the same record, which main fills anew for each.
 *
 * unreach-call: false, the second filling may come before the first thread has read its input.
 * no-data-race: false, main's filling and the read by a thread that is already there are not ordered.
 */
#include <pthread.h>
extern void abort(void);
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
#define N 2
struct job { int in; } job;
int seen[N + 1];
void *worker(void *arg)
{
	struct job *j = arg;
	seen[j->in] = 1;
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++) {
		job.in = i;
		pthread_create(&t[i], 0, worker, &job);
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	__VERIFIER_assert(seen[0] == 1 && seen[1] == 1);
	return 0;
}
