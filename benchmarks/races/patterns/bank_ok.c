/* Transfers between accounts: both locks are taken, in the order of the addresses. */
#include <pthread.h>
#include <stdint.h>
struct account { pthread_mutex_t lock; long balance; };
static struct account a[2];
static void transfer(struct account *from, struct account *to, long n)
{
	struct account *first = from, *second = to;
	if ((uintptr_t)first > (uintptr_t)second) {
		first = to;
		second = from;
	}
	pthread_mutex_lock(&first->lock);
	pthread_mutex_lock(&second->lock);
	first->balance += first == from ? -n : n; // NORACE
	second->balance += second == from ? -n : n; // NORACE
	pthread_mutex_unlock(&second->lock);
	pthread_mutex_unlock(&first->lock);
}
static void *there(void *x)
{
	for (int i = 0; i < 10; i++)
		transfer(&a[0], &a[1], 5);
	return x;
}
static void *back(void *x)
{
	for (int i = 0; i < 10; i++)
		transfer(&a[1], &a[0], 5);
	return x;
}
int main(void)
{
	pthread_t t, u;
	pthread_mutex_init(&a[0].lock, 0);
	pthread_mutex_init(&a[1].lock, 0);
	a[0].balance = a[1].balance = 100; // NORACE
	pthread_create(&t, 0, there, 0);
	pthread_create(&u, 0, back, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return (int)(a[0].balance + a[1].balance); // NORACE
}
