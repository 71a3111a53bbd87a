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
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define INT8_MIN (-128)
#define INT16_MIN (-32768)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#define SIZE_MAX ((__SIZE_TYPE__)-1)
#endif
