/* VERIFIED: a union is bytes, the low one first. */
#ifndef END
#define END
#endif
#include <assert.h>
#include <string.h>

union both { int i; unsigned char b[4]; };

int main(void)
{
	union both u;
	u.i = 0x01020304;
	assert(u.b[0] == 4 && u.b[3] == 1);
	u.b[1] = 0xff;
	assert(u.i == 0x0102ff04);
	unsigned char raw[8];
	long v = -2;
	memcpy(raw, &v, sizeof v);
	assert(raw[0] == 0xfe && raw[7] == 0xff);
	END;
	return 0;
}
