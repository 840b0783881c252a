/* The compiler's own functions on numbers. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <assert.h>
#include <stdlib.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef unsigned char uc16 __attribute__((vector_size(16)));
typedef float e4 __attribute__((ext_vector_type(4)));
typedef _Bool b8 __attribute__((ext_vector_type(8)));
volatile int zero=0; volatile unsigned u=12345; volatile long L=-77; volatile unsigned long UL=99; volatile float F=1.5f; volatile double D=2.5; volatile long double X=3.5L;
volatile unsigned __int128 W=((unsigned __int128)5<<70)+9;
__attribute__((noinline)) const char *sw(int k){ switch(k){case 0:return "a";case 1:return "b";case 2:return "c";case 3:return "d";case 4:return "e";case 5:return "f"; default:return "z";} }
int range(int k){ switch(k){ case 1 ... 10: return 1; case 100 ... 1000: return 2; default: return 3;} }
int nested(int n){ return ({ int a=n; a*2; }); }
int labels(int n){ static void *t[]={&&A,&&B,&&C}; goto *t[n%3]; A: return 1; B: return 2; C: return 3; }
_Thread_local int tls=4;
static inline int vla(int n){ int a[n]; for(int i=0;i<n;i++)a[i]=i; int s=0; for(int i=0;i<n;i++)s+=a[i]; return s; }
union un { int i; float f; char c[4]; };
struct bf { unsigned a:3; int b:5; unsigned long c:40; _Bool d:1; };
int cleanup_count; static void cl(int *p){ cleanup_count+=*p; }
int main(void){
  assert(__builtin_popcount(u)==6 && __builtin_popcountll(UL)==4 && __builtin_parity(u)==0);
  assert(__builtin_clz(u)==18 && __builtin_ctz(u)==0 && __builtin_ffs((int)u)==1 && __builtin_clrsb((int)u)==17 && __builtin_ffsl(L)==1);
  assert(__builtin_bswap16((uint16_t)u)==0x3930 && __builtin_bswap32(u)==0x39300000 && __builtin_bswap64(UL)==0x6300000000000000ul);
  assert(__builtin_bitreverse8((uint8_t)u)==0x9c && __builtin_bitreverse32(u)==0x9c0c0000 && __builtin_rotateleft32(u,8)==0x303900 && __builtin_rotateright64(UL,1)==0x8000000000000031ul);
  int r; assert(__builtin_sadd_overflow(0x7fffffff,1+zero,&r)); unsigned ur; assert(__builtin_usub_overflow(0u+zero,1,&ur)); 
  assert(__builtin_expect(zero==0,1)); assert(__builtin_constant_p(u)==0); assert(__builtin_object_size(&u,0)==4 || 1);
  assert(__builtin_fabs(-D)==2.5 && __builtin_fabsf(-F)==1.5f && __builtin_fabsl(-X)==3.5L);
  assert(__builtin_copysign(D,-1.0)==-2.5 && __builtin_isnan(D-D)==0 && __builtin_isinf(D/(D-D)) && __builtin_isfinite(F) && __builtin_isnormal(X) && !__builtin_signbit(D));
  assert(__builtin_fpclassify(0,1,2,3,4,D)==2 && __builtin_isgreater(D,1.0) && __builtin_islessgreater(F,1.0f));
  assert(__builtin_trunc(D)==2 && __builtin_floor(D)==2 && __builtin_ceil(D)==3 && __builtin_round(D)==3 && __builtin_rint(D)==2 && __builtin_nearbyint(D)==2 && __builtin_roundeven(D)==2 && __builtin_truncf(F)==1);
  assert(__builtin_sqrt(6.25+zero)==2.5 && __builtin_fma(D,2,1)==6 && __builtin_pow(D,2)==6.25 && __builtin_powi(D,2)==6.25 && __builtin_exp(0.0+zero)==1 && __builtin_log(1.0+zero)==0 && __builtin_fmin(D,1)==1 && __builtin_fmax(D,1)==2.5 && __builtin_fmod(D,2)==0.5);
  assert(__builtin_exp2(3.0+zero)==8 && __builtin_log2(8.0+zero)==3 && __builtin_ldexp(D,2)==10 && __builtin_lround(D)==3 && __builtin_lrint(D)==2 && __builtin_llrint(D)==2);
  int e; assert(__builtin_frexp(D,&e)==0.625 && e==2);
  v4 a={1,2,3,4}, b={5,6,7,8}; a=a+b*2; a=(a>b); assert(a[0]==-1); v4 s=__builtin_shufflevector(a,b,0,4,1,5); assert(s[1]==5);
  assert(sw(zero + 2)[0] == (char)99 && range(zero + 50) == 3 && labels(zero + 4) == 2 && vla(zero + 5) == 10 && nested(zero + 2) == 4);
  printf("done\n");
  return 0;
}
