/* Two threads get the address of one object as an integer: neither has it for itself. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct obj { int data; };
static void *worker(void *arg)
{
	struct obj *o = arg;
	o->data++; // RACE!
	return 0;
}
int main(void)
{
	pthread_t t, u;
	struct obj *o = malloc(sizeof *o);
	uintptr_t address = (uintptr_t)o;
	if (!o)
		return 1;
	o->data = 0; // NORACE
	pthread_create(&t, 0, worker, (void *)address);
	pthread_create(&u, 0, worker, (void *)address);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return o->data; // NORACE
}
