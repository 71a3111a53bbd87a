/*
 * Ten thousand threads open and close a row of a table, any row, under the lock of a row nearby.
 *
 * unreach-call: false, one thread takes the lock of row 1 for row 2, another one that of row 2.
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
	pthread_mutex_t *l = &rows[i == 2 && __VERIFIER_nondet_int() ? 1 : i].lock;
	pthread_mutex_lock(l);
	__VERIFIER_assert(r->open == 0);
	r->open = 1;
	r->open = 0;
	pthread_mutex_unlock(l);
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
