package c

import "testing"

// Semicolons that end nothing go, at the same length; those of for and of strings stay.
func TestEmptyMembers(t *testing.T) {
	for _, c := range [][2]string{
		{"struct s { int a; ; int b; };", "struct s { int a;   int b; };"},
		{"struct s { ; int a;; union { ; char c; }; ; };", "struct s {   int a;  union {   char c; };   };"},
		{"void f(void) { for (;;) ; ; while (g(';', \";;\")) ; }", "void f(void) { for (;;) ;   while (g(';', \";;\")) ; }"},
		{"#define M ;; \\\n ;;\nint a; /* ;; */ ;", "#define M ;; \\\n ;;\nint a; /* ;; */  "},
		{"f(sizeof(struct { int a; ; }), ({ for (;;) ; ; }), b;;)", "f(sizeof(struct { int a;   }), ({ for (;;) ;   }), b;;)"},
		{"case 1: ; break; do ; while (0);", "case 1: ; break; do ; while (0);"},
	} {
		if got := string(emptyMembers([]byte(c[0]))); got != c[1] {
			t.Errorf("%q\nbecomes %q\nand not %q", c[0], got, c[1])
		}
	}
}
