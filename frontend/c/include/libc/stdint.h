#ifndef _WHOOP_STDINT_H
#define _WHOOP_STDINT_H
typedef signed char int8_t, int_least8_t, int_fast8_t;
typedef unsigned char uint8_t, uint_least8_t, uint_fast8_t;
typedef short int16_t, int_least16_t;
typedef unsigned short uint16_t, uint_least16_t;
typedef int int32_t, int_least32_t;
typedef unsigned int uint32_t, uint_least32_t;
#ifdef __LP64__
typedef long int64_t, int_least64_t, int_fast16_t, int_fast32_t, int_fast64_t, intmax_t, intptr_t;
typedef unsigned long uint64_t, uint_least64_t, uint_fast16_t, uint_fast32_t, uint_fast64_t, uintmax_t, uintptr_t;
#else
typedef long long int64_t, int_least64_t, int_fast64_t, intmax_t;
typedef unsigned long long uint64_t, uint_least64_t, uint_fast64_t, uintmax_t;
typedef int int_fast16_t, int_fast32_t, intptr_t;
typedef unsigned int uint_fast16_t, uint_fast32_t, uintptr_t;
#endif
#define INT8_MAX __INT8_MAX__
#define UINT8_MAX __UINT8_MAX__
#define INT8_MIN (-INT8_MAX - 1)
#define INT_LEAST8_MAX __INT_LEAST8_MAX__
#define INT_LEAST8_MIN (-INT_LEAST8_MAX - 1)
#define UINT_LEAST8_MAX __UINT_LEAST8_MAX__
#define INT_FAST8_MAX __INT_FAST8_MAX__
#define INT_FAST8_MIN (-INT_FAST8_MAX - 1)
#define UINT_FAST8_MAX __UINT_FAST8_MAX__
#define INT8_C(c) __INT8_C(c)
#define UINT8_C(c) __UINT8_C(c)
#define INT16_MAX __INT16_MAX__
#define UINT16_MAX __UINT16_MAX__
#define INT16_MIN (-INT16_MAX - 1)
#define INT_LEAST16_MAX __INT_LEAST16_MAX__
#define INT_LEAST16_MIN (-INT_LEAST16_MAX - 1)
#define UINT_LEAST16_MAX __UINT_LEAST16_MAX__
#define INT_FAST16_MAX __INT_FAST16_MAX__
#define INT_FAST16_MIN (-INT_FAST16_MAX - 1)
#define UINT_FAST16_MAX __UINT_FAST16_MAX__
#define INT16_C(c) __INT16_C(c)
#define UINT16_C(c) __UINT16_C(c)
#define INT32_MAX __INT32_MAX__
#define UINT32_MAX __UINT32_MAX__
#define INT32_MIN (-INT32_MAX - 1)
#define INT_LEAST32_MAX __INT_LEAST32_MAX__
#define INT_LEAST32_MIN (-INT_LEAST32_MAX - 1)
#define UINT_LEAST32_MAX __UINT_LEAST32_MAX__
#define INT_FAST32_MAX __INT_FAST32_MAX__
#define INT_FAST32_MIN (-INT_FAST32_MAX - 1)
#define UINT_FAST32_MAX __UINT_FAST32_MAX__
#define INT32_C(c) __INT32_C(c)
#define UINT32_C(c) __UINT32_C(c)
#define INT64_MAX __INT64_MAX__
#define UINT64_MAX __UINT64_MAX__
#define INT64_MIN (-INT64_MAX - 1)
#define INT_LEAST64_MAX __INT_LEAST64_MAX__
#define INT_LEAST64_MIN (-INT_LEAST64_MAX - 1)
#define UINT_LEAST64_MAX __UINT_LEAST64_MAX__
#define INT_FAST64_MAX __INT_FAST64_MAX__
#define INT_FAST64_MIN (-INT_FAST64_MAX - 1)
#define UINT_FAST64_MAX __UINT_FAST64_MAX__
#define INT64_C(c) __INT64_C(c)
#define UINT64_C(c) __UINT64_C(c)
#define INTPTR_MAX __INTPTR_MAX__
#define INTPTR_MIN (-INTPTR_MAX - 1)
#define INTMAX_MAX __INTMAX_MAX__
#define INTMAX_MIN (-INTMAX_MAX - 1)
#define PTRDIFF_MAX __PTRDIFF_MAX__
#define PTRDIFF_MIN (-PTRDIFF_MAX - 1)
#define SIG_ATOMIC_MAX __SIG_ATOMIC_MAX__
#define SIG_ATOMIC_MIN (-SIG_ATOMIC_MAX - 1)
#define UINTPTR_MAX __UINTPTR_MAX__
#define UINTMAX_MAX __UINTMAX_MAX__
#define SIZE_MAX __SIZE_MAX__
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN __WCHAR_MIN__
#define WINT_MAX __WINT_MAX__
#define WINT_MIN __WINT_MIN__
#define INTMAX_C(c) __INTMAX_C(c)
#define UINTMAX_C(c) __UINTMAX_C(c)
#define INT8_WIDTH 8
#define INT_LEAST8_WIDTH __INT_LEAST8_WIDTH__
#define INT_FAST8_WIDTH __INT_FAST8_WIDTH__
#define UINT8_WIDTH 8
#define UINT_LEAST8_WIDTH __INT_LEAST8_WIDTH__
#define UINT_FAST8_WIDTH __INT_FAST8_WIDTH__
#define INT16_WIDTH 16
#define INT_LEAST16_WIDTH __INT_LEAST16_WIDTH__
#define INT_FAST16_WIDTH __INT_FAST16_WIDTH__
#define UINT16_WIDTH 16
#define UINT_LEAST16_WIDTH __INT_LEAST16_WIDTH__
#define UINT_FAST16_WIDTH __INT_FAST16_WIDTH__
#define INT32_WIDTH 32
#define INT_LEAST32_WIDTH __INT_LEAST32_WIDTH__
#define INT_FAST32_WIDTH __INT_FAST32_WIDTH__
#define UINT32_WIDTH 32
#define UINT_LEAST32_WIDTH __INT_LEAST32_WIDTH__
#define UINT_FAST32_WIDTH __INT_FAST32_WIDTH__
#define INT64_WIDTH 64
#define INT_LEAST64_WIDTH __INT_LEAST64_WIDTH__
#define INT_FAST64_WIDTH __INT_FAST64_WIDTH__
#define UINT64_WIDTH 64
#define UINT_LEAST64_WIDTH __INT_LEAST64_WIDTH__
#define UINT_FAST64_WIDTH __INT_FAST64_WIDTH__
#define INTPTR_WIDTH __INTPTR_WIDTH__
#define UINTPTR_WIDTH __INTPTR_WIDTH__
#define INTMAX_WIDTH __INTMAX_WIDTH__
#define UINTMAX_WIDTH __INTMAX_WIDTH__
#define PTRDIFF_WIDTH __PTRDIFF_WIDTH__
#define SIG_ATOMIC_WIDTH __SIG_ATOMIC_WIDTH__
#define SIZE_WIDTH __SIZE_WIDTH__
#define WCHAR_WIDTH __WCHAR_WIDTH__
#define WINT_WIDTH __WINT_WIDTH__
#endif
