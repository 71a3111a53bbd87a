/* VERIFIED: integers wrap around, divide towards zero, and have bits. */
#ifndef END
#define END
#endif
#include <assert.h>

static unsigned sum(unsigned n)
{
	unsigned s = 0;
	for (unsigned i = 1; i <= n; i++)
		s += i;
	return s;
}

int main(void)
{
	unsigned char c = 250;
	c += 10;
	assert(c == 4);
	int x = -7;
	assert(x / 2 == -3 && x % 2 == -1);
	assert((x >> 1) == -4);
	assert((unsigned)x >> 28 == 15);
	assert((x & 0xff) == 249);
	assert((x | 3) == -5);
	assert((x ^ -1) == 6);
	assert(~x == 6);
	unsigned y = 12, z = 10;
	assert((y & z) == 8 && (y | z) == 14 && (y ^ z) == 6);
	assert(y << (z - 8) == 48);
	assert(sum(3) == 6);
	END;
	return 0;
}
