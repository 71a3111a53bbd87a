// Each thread has one element of an array, main another one and, before and after, any.
#include <pthread.h>

static int slots[4];
static struct { long count; int kind; } pairs[2];

static void *first(void *arg)
{
	slots[0]++;          // NORACE
	pairs[0].count += 2; // NORACE
	return NULL;
}

static void *second(void *arg)
{
	slots[1]++;          // NORACE
	pairs[0].kind = 1;   // NORACE
	pairs[1].count = 1;  // NORACE
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t, u;
	slots[argc & 3] = 1;
	pthread_create(&t, NULL, first, NULL);
	pthread_create(&u, NULL, second, NULL);
	slots[2] = 7;        // NORACE
	pairs[1].kind = 2;   // NORACE
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return slots[argc & 1] + (int)pairs[argc & 1].count; // NORACE
}
