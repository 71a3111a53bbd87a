#undef assert
void __assert_fail(const char *, const char *, unsigned int, const char *);
#ifdef NDEBUG
#define assert(c) ((void)0)
#else
#define assert(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, ""))
#endif
#define static_assert _Static_assert
