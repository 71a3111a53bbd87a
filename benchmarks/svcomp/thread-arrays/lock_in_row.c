/*
 * Ten thousand threads open and close a row of a table, any row, under the lock that is in the row.
 *
 * unreach-call: true, who has the lock of a row is alone with it.
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
extern int __VERIFIER_nondet_int(void);
#define ROWS 5
struct row {
	int open;
	pthread_mutex_t lock;
} rows[ROWS];
void *worker(void *arg)
{
	int i = __VERIFIER_nondet_int();
	if (i < 0 || i >= ROWS)
		return 0;
	struct row *r = &rows[i];
	pthread_mutex_lock(&r->lock);
	__VERIFIER_assert(r->open == 0);
	r->open = 1;
	r->open = 0;
	pthread_mutex_unlock(&r->lock);
	return 0;
}
int main(void)
{
	pthread_t t;
	for (int i = 0; i < ROWS; i++)
		pthread_mutex_init(&rows[i].lock, 0);
	for (int i = 0; i < 10000; i++)
		pthread_create(&t, 0, worker, 0);
	return 0;
}
