/*
 * Two threads use two fields of one struct.
 *
 * unreach-call: true, each field is written by one thread only.
 * no-data-race: true, the fields are different objects in memory.
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
struct pair { int left, right; } p;
void *left(void *arg)
{
	p.left = 1;
	p.left++;
	return 0;
}
void *right(void *arg)
{
	p.right = 5;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, left, 0);
	pthread_create(&t2, 0, right, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(p.left == 2 && p.right == 5);
	return 0;
}
