/*
 * Two thousand threads put entries into a list, a thousand change the number of an entry and change it back, a thousand look at one.
 *
 * unreach-call: true, who looks has the same lock as who changes a number and changes it back.
 * no-data-race: true, both lists and all numbers are under one lock.
 */
#include <pthread.h>
#include <stdlib.h>
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
#define MANY 2000
struct entry {
	int number;
	struct entry *next;
};
struct entry *list;
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static struct entry *some(void)
{
	struct entry *e = list;
	while (e->next && __VERIFIER_nondet_int())
		e = e->next;
	return e;
}
void *put(void *arg)
{
	struct entry *e = malloc(sizeof *e);
	if (!e)
		return 0;
	e->number = 0;
	pthread_mutex_lock(&first);
	pthread_mutex_lock(&second);
	e->next = list->next;
	list->next = e;
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
	return 0;
}
void *change(void *arg)
{
	pthread_mutex_lock(&first);
	struct entry *e = some();
	e->number++;
	e->number--;
	pthread_mutex_unlock(&first);
	return 0;
}
void *look(void *arg)
{
	pthread_mutex_lock(&first);
	__VERIFIER_assert(some()->number == 0);
	pthread_mutex_unlock(&first);
	return 0;
}
int main(void)
{
	pthread_t t[2 * MANY];
	list = malloc(sizeof *list);
	if (!list)
		return 1;
	list->number = 0;
	list->next = 0;
	for (int i = 0; i < MANY; i++)
		pthread_create(&t[i], 0, put, 0);
	for (int i = MANY; i < 2 * MANY; i++)
		pthread_create(&t[i], 0, i % 2 ? change : look, 0);
	for (int i = 0; i < 2 * MANY; i++)
		pthread_join(t[i], 0);
	return 0;
}
