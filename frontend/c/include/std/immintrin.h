/* Intel's intrinsics: those that programs with threads use most. Vectors are opaque; what they are loaded from and stored to is
   accessed. Others are functions that nobody declared. */
#ifndef _WHOOP_IMMINTRIN_H
#define _WHOOP_IMMINTRIN_H
typedef long long __m64 __attribute__((__vector_size__(8)));
typedef float __m128 __attribute__((__vector_size__(16)));
typedef double __m128d __attribute__((__vector_size__(16)));
typedef long long __m128i __attribute__((__vector_size__(16)));
typedef float __m256 __attribute__((__vector_size__(32)));
typedef double __m256d __attribute__((__vector_size__(32)));
typedef long long __m256i __attribute__((__vector_size__(32)));
enum _mm_hint { _MM_HINT_NTA = 0, _MM_HINT_T2 = 1, _MM_HINT_T1 = 2, _MM_HINT_T0 = 3 };
#define _mm_pause() ((void)0)
#define _mm_mfence() __sync_synchronize()
#define _mm_lfence() __sync_synchronize()
#define _mm_sfence() __sync_synchronize()
#define _mm_prefetch(p, h) ((void)(p))
#define _mm_clflush(p) ((void)(p))
#define _mm_clflushopt(p) ((void)(p))
#define _mm_clwb(p) ((void)(p))
unsigned long long __rdtsc(void);
unsigned long long __rdtscp(unsigned int *);
#define _rdtsc() __rdtsc()
#define _mm_malloc(n, a) __builtin_malloc(n)
#define _mm_free(p) __builtin_free(p)
int _rdrand16_step(unsigned short *);
int _rdrand32_step(unsigned int *);
int _rdrand64_step(unsigned long long *);
unsigned int _mm_crc32_u8(unsigned int, unsigned char);
unsigned int _mm_crc32_u32(unsigned int, unsigned int);
unsigned long long _mm_crc32_u64(unsigned long long, unsigned long long);
int _mm_popcnt_u32(unsigned int);
long long _mm_popcnt_u64(unsigned long long);
unsigned int _lzcnt_u32(unsigned int);
unsigned long long _lzcnt_u64(unsigned long long);
unsigned int _tzcnt_u32(unsigned int);
unsigned long long _tzcnt_u64(unsigned long long);
unsigned int _bswap(int);
__m128i _mm_load_si128(const __m128i *);
__m128i _mm_loadu_si128(const __m128i *);
void _mm_store_si128(__m128i *, __m128i);
void _mm_storeu_si128(__m128i *, __m128i);
void _mm_stream_si128(__m128i *, __m128i);
void _mm_stream_si32(int *, int);
void _mm_stream_si64(long long *, long long);
__m128i _mm_setzero_si128(void);
__m128i _mm_set1_epi8(char);
__m128i _mm_set1_epi16(short);
__m128i _mm_set1_epi32(int);
__m128i _mm_set1_epi64x(long long);
__m128i _mm_set_epi32(int, int, int, int);
__m128i _mm_set_epi64x(long long, long long);
__m128i _mm_cmpeq_epi8(__m128i, __m128i);
__m128i _mm_cmpeq_epi16(__m128i, __m128i);
__m128i _mm_cmpeq_epi32(__m128i, __m128i);
__m128i _mm_add_epi8(__m128i, __m128i);
__m128i _mm_add_epi16(__m128i, __m128i);
__m128i _mm_add_epi32(__m128i, __m128i);
__m128i _mm_add_epi64(__m128i, __m128i);
__m128i _mm_sub_epi32(__m128i, __m128i);
__m128i _mm_sub_epi64(__m128i, __m128i);
__m128i _mm_and_si128(__m128i, __m128i);
__m128i _mm_andnot_si128(__m128i, __m128i);
__m128i _mm_or_si128(__m128i, __m128i);
__m128i _mm_xor_si128(__m128i, __m128i);
int _mm_movemask_epi8(__m128i);
int _mm_cvtsi128_si32(__m128i);
long long _mm_cvtsi128_si64(__m128i);
__m128i _mm_cvtsi32_si128(int);
__m128i _mm_cvtsi64_si128(long long);
__m128 _mm_load_ps(const float *);
__m128 _mm_loadu_ps(const float *);
void _mm_store_ps(float *, __m128);
void _mm_storeu_ps(float *, __m128);
__m128 _mm_setzero_ps(void);
__m128 _mm_set1_ps(float);
__m128 _mm_add_ps(__m128, __m128);
__m128 _mm_sub_ps(__m128, __m128);
__m128 _mm_mul_ps(__m128, __m128);
__m128 _mm_div_ps(__m128, __m128);
__m128d _mm_load_pd(const double *);
__m128d _mm_loadu_pd(const double *);
void _mm_store_pd(double *, __m128d);
void _mm_storeu_pd(double *, __m128d);
__m128d _mm_setzero_pd(void);
__m128d _mm_set1_pd(double);
__m128d _mm_add_pd(__m128d, __m128d);
__m128d _mm_mul_pd(__m128d, __m128d);
__m256i _mm256_load_si256(const __m256i *);
__m256i _mm256_loadu_si256(const __m256i *);
void _mm256_store_si256(__m256i *, __m256i);
void _mm256_storeu_si256(__m256i *, __m256i);
__m256i _mm256_setzero_si256(void);
__m256i _mm256_set1_epi8(char);
__m256i _mm256_set1_epi32(int);
__m256i _mm256_set1_epi64x(long long);
__m256i _mm256_cmpeq_epi8(__m256i, __m256i);
__m256i _mm256_cmpeq_epi32(__m256i, __m256i);
__m256i _mm256_add_epi32(__m256i, __m256i);
__m256i _mm256_and_si256(__m256i, __m256i);
__m256i _mm256_or_si256(__m256i, __m256i);
__m256i _mm256_xor_si256(__m256i, __m256i);
int _mm256_movemask_epi8(__m256i);
__m256 _mm256_load_ps(const float *);
__m256 _mm256_loadu_ps(const float *);
void _mm256_store_ps(float *, __m256);
void _mm256_storeu_ps(float *, __m256);
__m256 _mm256_setzero_ps(void);
__m256 _mm256_set1_ps(float);
__m256 _mm256_add_ps(__m256, __m256);
__m256 _mm256_mul_ps(__m256, __m256);
__m256d _mm256_load_pd(const double *);
__m256d _mm256_loadu_pd(const double *);
void _mm256_store_pd(double *, __m256d);
void _mm256_storeu_pd(double *, __m256d);
__m256d _mm256_setzero_pd(void);
__m256d _mm256_set1_pd(double);
__m256d _mm256_add_pd(__m256d, __m256d);
__m256d _mm256_mul_pd(__m256d, __m256d);
void _mm256_zeroupper(void);
unsigned int _xbegin(void);
void _xend(void);
void _xabort(const unsigned int);
unsigned char _xtest(void);
#define _XBEGIN_STARTED (~0u)
#define _XABORT_EXPLICIT (1 << 0)
#define _XABORT_RETRY (1 << 1)
#define _XABORT_CONFLICT (1 << 2)
#endif
