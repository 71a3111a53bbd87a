// Each thread has one element of an array, but for one byte of a neighbour's.
#include <pthread.h>

static int slots[4];
static unsigned char bytes[8];

static void *first(void *arg)
{
	slots[0]++;
	slots[2]++;                              // RACE!
	*(int *)(bytes + 1) = 0;                 // RACE!
	return NULL;
}

static void *second(void *arg)
{
	slots[1]++;
	slots[2]--;                              // RACE!
	bytes[4] = 1;                            // RACE!
	bytes[5] = 1;                            // NORACE
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t, u;
	slots[argc & 3] = 1;
	pthread_create(&t, NULL, first, NULL);
	pthread_create(&u, NULL, second, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return slots[argc & 1] + bytes[argc & 3];
}
