#ifndef _WHOOP_STDDEF_H
#define _WHOOP_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifndef __cplusplus
typedef __WCHAR_TYPE__ wchar_t;
#endif
typedef struct { long long __a; long double __b; } max_align_t;
#endif
#ifndef _WHOOP_NULL
#define _WHOOP_NULL
#undef NULL
#define NULL ((void *)0)
#undef offsetof
#define offsetof(t, m) __builtin_offsetof(t, m)
typedef __WINT_TYPE__ wint_t;
#endif
