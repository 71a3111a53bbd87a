/* Function pointers, recursion, switch, loops with break and continue, goto, comma, static locals, short circuits. */
static unsigned long h = 3;
static void mix(unsigned long v) { h = h * 131 + v; }

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
typedef int (*op)(int, int);
static op ops[] = { add, sub, mul };
static op pick(char c) { return c == '+' ? add : c == '-' ? sub : mul; }

struct shape { int (*area)(const struct shape *); int w, h; };
static int rect(const struct shape *s) { return s->w * s->h; }
static int tri(const struct shape *s) { return s->w * s->h / 2; }

static int ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int even(unsigned n);
static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; }

static int counter(void)
{
	static int n = 5;
	return n++;
}

static int kind(int c)
{
	switch (c) {
	case 0:
		return 10;
	case 1:
	case 2:
		c += 5;
		/* fall through */
	case 7:
		c *= 2;
		break;
	case 'a' ... 'f':
		return c - 'a';
	default:
		c = -1;
	}
	return c;
}

static void sort(int *a, int lo, int hi)
{
	if (lo >= hi)
		return;
	int p = a[(lo + hi) / 2], i = lo, j = hi;
	do {
		while (a[i] < p)
			i++;
		while (p < a[j])
			j--;
		if (i <= j) {
			int t = a[i];
			a[i++] = a[j];
			a[j--] = t;
		}
	} while (i <= j);
	sort(a, lo, j);
	sort(a, i, hi);
}

static int calls;
static int yes(void) { return ++calls; }
static int no(void) { return ++calls, 0; }

static unsigned length(const char *s)
{
	const char *e = s;
	while (*e)
		e++;
	return e - s;
}

static void reverse(char *s)
{
	for (unsigned i = 0, j = length(s); i + 1 < j--; i++) {
		char t = s[i];
		s[i] = s[j];
		s[j] = t;
	}
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		mix(ops[i](i + 7, 3) + (*pick("+-*"[i]))(i, 9));
	struct shape s[2] = { { rect, 3, 5 }, { .area = tri, .w = 4, .h = 9 } };
	for (int i = 0; i < 2; i++)
		mix(s[i].area(&s[i]));
	mix(ackermann(2, 3));
	mix(even(101) * 2 + odd(101));
	counter();
	mix(counter() + counter() * 100);
	for (int c = -1; c < 110; c++)
		mix(kind(c));
	int a[40];
	unsigned r = 1;
	for (int i = 0; i < 40; i++)
		a[i] = (int)(r = r * 1103515245u + 12345u) >> 16;
	sort(a, 0, 39);
	for (int i = 0; i < 40; i++)
		mix(a[i]);
	mix((yes() && no()) || (yes() || no()));
	mix(calls);
	int n = 0;
	for (int i = 0;; i++) {
		if (i % 3 == 0)
			continue;
		if (i > 50)
			break;
		n += i;
	}
	mix(n);
again:
	if (n > 10) {
		n /= 3;
		goto again;
	}
	mix(n);
	char text[] = "able was I ere I saw elba!";
	reverse(text);
	for (unsigned i = 0; i < sizeof text; i++)
		mix(text[i]);
	int k = (mix(5), n = 4, n + 1);
	mix(k);
	int v[3][3], t = 0;
	for (int i = 0; i < 9; i++)
		v[i / 3][i % 3] = i;
	for (int i = 0; i < 3; i++)
		t += v[i][2 - i] * *(v[2 - i] + i);
	mix(t);
	return (h ^ h >> 11 ^ h >> 29 ^ h >> 43) & 0x7f;
}
