/* Bit-fields, unions, nested structs, copies, arrays, pointers to members and to pointers. */
typedef unsigned long size_t;
void *malloc(size_t n);
void *calloc(size_t n, size_t m);
void free(void *p);
void *memcpy(void *d, const void *s, size_t n);
void *memset(void *d, int c, size_t n);

struct bits {
	unsigned a : 3;
	int b : 5;
	unsigned c : 17;
	signed char d;
	unsigned long e : 40;
};
union any {
	int i;
	unsigned char c[8];
	unsigned short s[4];
	long l;
	struct { char x, y; short z; } p;
};
struct inner { short a[3]; char b; };
struct outer { char tag; struct inner in[2]; union any u; struct outer *next; };

static unsigned long h = 7;
static void mix(unsigned long v) { h = h * 31 + v; }

static struct outer table[3] = {
	{ 'a', { { { 1, 2, 3 }, 4 }, { { 5 }, 6 } }, { .l = 0x1122334455667788l }, &table[1] },
	{ .tag = 'b', .next = &table[2] },
};
static const char *names[] = { "zero", "one", "two" };
static int matrix[3][4] = { { 1, 2, 3, 4 }, { 5, 6 }, [2][3] = 9 };

static struct outer twist(struct outer o, int k)
{
	struct outer r = o;
	r.in[k] = o.in[1 - k];
	r.u.c[k] ^= 0xff;
	r.next = &table[k];
	return r;
}

static void swap(void **a, void **b)
{
	void *t = *a;
	*a = *b;
	*b = t;
}

int main(void)
{
	struct bits b;
	memset(&b, 0, sizeof b);
	for (int i = 0; i < 40; i++) {
		b.a += i;
		b.b -= 3;
		b.c = b.c * 5 + i;
		b.d += 7;
		b.e = b.e * 77 + 12345;
		mix(b.a);
		mix(b.b);
		mix(b.c);
		mix(b.d);
		mix(b.e);
	}
	union any u;
	u.l = -2;
	u.i = 0x01020304;
	mix(u.c[0]);
	mix(u.s[1]);
	mix(u.l);
	u.p.z = -1;
	mix(u.l);
	struct outer t = table[0];
	t.tag++;
	t = twist(t, 0);
	mix(t.tag);
	mix(t.in[0].a[0]);
	mix(t.in[1].b);
	mix(t.u.l);
	mix(t.next->u.i);
	mix(t.next->next - table);
	for (const struct outer *p = table; p; p = p->next)
		mix(p->tag);
	for (int i = 0; i < 3; i++)
		for (const char *s = names[i]; *s; s++)
			mix(*s);
	int *row = matrix[1];
	mix(row[1] + row[6] + *(&matrix[0][0] + 11));
	mix(&matrix[2][0] - &matrix[0][1]);
	long *q = malloc(10 * sizeof *q), *z = calloc(4, sizeof *z);
	if (!q || !z)
		return 1;
	for (int i = 0; i < 10; i++)
		q[i] = i * i;
	memcpy(z + 1, q + 3, 2 * sizeof *z);
	mix(z[0] + z[1] * 100 + z[2] * 10000 + z[3]);
	void *x = q, *y = z;
	swap(&x, &y);
	mix(((long *)y)[9]);
	unsigned char raw[sizeof(void *)];
	memcpy(raw, &y, sizeof raw);
	void *again;
	for (unsigned i = 0; i < sizeof raw; i++)
		((unsigned char *)&again)[i] = raw[i];
	mix(((long *)again)[8]);
	mix(((unsigned long)again & 7) == 0);
	again = (void *)((unsigned long)again | 1);
	mix(*(long *)((unsigned long)again & ~1ul));
	char *end = (char *)(q + 10);
	mix(*(long *)(end - sizeof(long)));
	free(q);
	free(z);
	free(0);
	struct { int n; char text[]; } *flex = malloc(sizeof *flex + 8);
	if (!flex)
		return 1;
	flex->n = 3;
	flex->text[7] = 'x';
	mix(flex->n + flex->text[7]);
	free(flex);
	return (h ^ h >> 9 ^ h >> 23 ^ h >> 40) & 0x7f;
}
