/* Integers of all widths, conversions, shifts, and the operators. */
typedef unsigned long u64;
static u64 h = 14695981039346656037ul;
static void mix(u64 v) { h = (h ^ v) * 1099511628211ul; }

static signed char sc[5] = {-128, -1, 0, 1, 127};
static unsigned short us[4] = {0, 1, 40000, 65535};
static int si[5] = {-2147483647 - 1, -7, 0, 3, 2147483647};
static unsigned ui[4] = {0, 5, 2147483648u, 4294967295u};
static long sl[4] = {-9223372036854775807l - 1, -100000000000l, 12, 9223372036854775807l};

int main(void)
{
	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 4; j++) {
			mix(sc[i] + us[j]);
			mix(sc[i] * us[j]);
			mix((unsigned char)sc[i] >> j);
			mix(sc[i] >> j);
			mix((u64)si[i] + ui[j]);
			mix(ui[j] - (unsigned)si[i]);
			mix(ui[j] * (unsigned)si[i]);
			mix(ui[j] ^ ~si[i]);
			mix(si[i] < (long)ui[j]);
			mix((unsigned)si[i] < ui[j]);
			mix(sc[i] && us[j]);
			mix(!si[i] || sl[j] > si[i]);
			if (ui[j]) {
				mix((unsigned)si[i] / ui[j]);
				mix((unsigned)si[i] % ui[j]);
			}
			if (sl[j] != 0 && sc[i] != -1)
				mix(sc[i] ? sl[j] / sc[i] : 3);
			mix(sl[j] % 7);
			mix((u64)sl[j] >> (i * 7));
			mix(sl[j] >> (i * 7));
			mix((u64)sl[j] << i);
			mix((short)ui[j]);
			mix((signed char)sl[j]);
			mix((_Bool)si[i]);
			mix(si[i] > 0 ? us[j] : -us[j]);
		}
	__int128 w = (__int128)sl[3] * sl[1];
	mix((u64)(w >> 64));
	mix((u64)w);
	unsigned __int128 v = ((unsigned __int128)ui[3] << 80) | ui[2];
	mix((u64)(v / 12345));
	mix((u64)(v % 12345));
	mix(w < 0);
	unsigned char c = 250;
	c += 10;
	mix(c);
	c <<= 3;
	mix(c--);
	mix(++c);
	mix(-c);
	return (h ^ h >> 7 ^ h >> 17 ^ h >> 31) & 0x7f;
}
