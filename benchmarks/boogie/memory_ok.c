/* VERIFIED: objects are apart, members too, and blocks are copied and filled. */
#ifndef END
#define END
#endif
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; long z; };
static struct point a = { 1, 2, 3 }, b;
static int table[4] = { 5, 6, 7 };
static int twice(int n) { return 2 * n; }
static int (*op)(int) = twice;

int main(void)
{
	struct point *p = malloc(sizeof *p), *q = calloc(1, sizeof *q);
	if (!p || !q)
		return 1;
	assert(p != q && b.x == 0 && a.y == 2 && table[2] == 7 && table[3] == 0);
	p->x = 4;
	p->z = -1;
	assert(q->x == 0 && q->z == 0);
	*q = *p;
	p->x = 9;
	assert(q->x == 4 && q->z == -1);
	memset(&b, 0xff, sizeof b);
	assert(b.x == -1);
	int *e = table;
	e[1] = 60;
	assert(table[1] == 60 && *(e + 2) == 7);
	assert(op(21) == 42);
	END;
	return 0;
}
