/*
 * Each thread gets a record of its own with its input and room for its result.
 *
 * unreach-call: true, each result is twice its input, 2 * (1 + 2 + 3) together.
 * no-data-race: true, a record is written by main before the creation, by its thread, and read by main after
 *   the join.
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
#define N 3
struct job { int in, out; } job[N];
void *worker(void *arg)
{
	struct job *j = arg;
	j->out = 2 * j->in;
	return 0;
}
int main(void)
{
	pthread_t t[N];
	int sum = 0;
	for (int i = 0; i < N; i++) {
		job[i].in = i + 1;
		pthread_create(&t[i], 0, worker, &job[i]);
	}
	for (int i = 0; i < N; i++) {
		pthread_join(t[i], 0);
		sum += job[i].out;
	}
	__VERIFIER_assert(sum == 12);
	return 0;
}
