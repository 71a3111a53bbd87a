package c

import "testing"

func TestSwapped(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"case (( __be16)(__u16)__builtin_bswap16((__u16)((0x0806)))):", "case (( __be16)(__u16)((unsigned short)1544)):"},
		{"x = __builtin_bswap32(1u);", "x = 16777216u;"},
		{"x = __builtin_bswap64((\n__u64)1);", "x = 72057594037927936ul\n;"},
		{"f(__builtin_bswap16(0x1234), 1)", "f(((unsigned short)13330), 1)"},
		{"x = __builtin_bswap16(0x12345);", "x = __builtin_bswap16(0x12345);"},
		{"x = __builtin_bswap32((__u16)0x1234);", "x = __builtin_bswap32((__u16)0x1234);"},
		{"x = __builtin_bswap32((__u32)y);", "x = __builtin_bswap32((__u32)y);"},
		{"x = __builtin_bswap32(1 + y);", "x = __builtin_bswap32(1 + y);"},
		{"x = __builtin_bswap32((1) + y);", "x = __builtin_bswap32((1) + y);"},
	} {
		if got := string(swapped([]byte(c.text))); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
