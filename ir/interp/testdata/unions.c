/* Casts to unions: the member of the value's type has it. */
struct s { int x, y; };
union u { int a; long f; char *p; struct s s; unsigned char c; short h[2]; };
static union u first = (union u)7;
static union u several[2] = { (union u)8L, { .c = 9 } };
static struct { int n; union u u; } inner = { 1, (union u)(char *)&first };
static int get(union u x) { return x.a; }
int main(void)
{
	int ok = 0;
	union u x = (union u)3;
	struct s s = { 4, 5 };
	unsigned char c = 200;
	ok += x.a == 3;
	x = (union u)s;
	ok += x.s.y == 5 && x.a == 4;
	x = (union u)5L;
	ok += x.f == 5;
	x = (union u)(char *)0;
	ok += x.p == 0;
	ok += ((union u)9).a == 9;
	ok += get((union u)11) == 11;
	x.f = 0;
	x = (union u)c;
	ok += x.c == 200;
	ok += sizeof((union u)3) == 8;
	ok += first.a == 7 && several[0].f == 8 && several[1].c == 9 && inner.u.p == (char *)&first;
	return ok;
}
