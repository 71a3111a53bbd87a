/* A lock-free stack in inline assembly, as kernels write it: cmpxchg publishes a node, and
 * xchg takes all of them. What xchg yields is what was stored, and nothing else. */
#include <pthread.h>
#include <stdlib.h>
#define LOCK ".pushsection .smp_locks,\"a\"\n" ".balign 4\n" ".long 671f - .\n" ".popsection\n" "671:" "\n\tlock; "
#define xchg(p, v) ({ __typeof__(*(p)) ret = (v); \
	switch (sizeof(*(p))) { \
	case 4: __asm__ volatile ("" "xchg" "l %0, %1\n" : "+r" (ret), "+m" (*(p)) : : "memory", "cc"); break; \
	case 8: __asm__ volatile ("" "xchg" "q %q0, %1\n" : "+r" (ret), "+m" (*(p)) : : "memory", "cc"); break; \
	} \
	ret; })
struct node {
	struct node *next;
	int v;
};
static struct node *top;
static int unrelated;
static int try_cmpxchg(struct node **p, struct node **old, struct node *new)
{
	unsigned char success;
	struct node *was = *old;
	__asm__ volatile (LOCK "cmpxchgq %[new], %[ptr]" "\n\t/* output condition code " "z" "*/\n"
		: "=@cc" "z" (success), [ptr] "+m" (*p), [old] "+a" (was)
		: [new] "r" (new) : "memory");
	if (!success)
		*old = was;
	return success;
}
static void push(int v)
{
	struct node *n = malloc(sizeof *n);
	if (!n)
		return;
	n->v = v; // NORACE
	n->next = 0; // NORACE
	while (!try_cmpxchg(&top, &n->next, n))
		;
}
static void *pusher(void *arg)
{
	for (int i = 0; i < 100; i++)
		push(i);
	return arg;
}
static void *other(void *arg)
{
	unrelated++; // NORACE
	return arg;
}
int main(void)
{
	pthread_t t, u, o;
	long sum = 0;
	pthread_create(&t, 0, pusher, 0);
	pthread_create(&u, 0, pusher, 0);
	pthread_create(&o, 0, other, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	for (struct node *n = xchg(&top, 0); n; n = n->next) { // NORACE
		sum += n->v; // NORACE
		n->v = 0; // NORACE
	}
	pthread_join(o, 0);
	return sum;
}
