/*
 * Two threads fill one row each of a matrix, in nested loops.
 *
 * unreach-call: true, each row holds what its own thread wrote.
 * no-data-race: true, the rows are different, main reads after the joins.
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
int cell[2][3];
void *worker(void *arg)
{
	int row = (int)(long)arg;
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 3; i++)
			cell[row][i] = cell[row][i] + row + 1;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	for (int i = 0; i < 3; i++)
		__VERIFIER_assert(cell[0][i] == 2 && cell[1][i] == 4);
	return 0;
}
