/* Vectors, and what can be done with all their elements. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned u4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef float e4 __attribute__((ext_vector_type(4)));
typedef int i4 __attribute__((ext_vector_type(4)));
typedef _Bool b8 __attribute__((ext_vector_type(8)));
volatile int zero; 
int main(void){
  v4 a={1,-2,3,-4}, b={5,6,7,8};
  assert(__builtin_reduce_add(a)==-2 && __builtin_reduce_mul(a)==24 && __builtin_reduce_max(a)==3 && __builtin_reduce_min(a)==-4 && __builtin_reduce_and(b)==0 && __builtin_reduce_or(b)==15 && __builtin_reduce_xor(b)==12);
  f4 f={1.5f,-2.5f,3.5f,-4.5f};
  assert(__builtin_reduce_max(f)==3.5f && __builtin_reduce_min(f)==-4.5f);
  v4 c=__builtin_elementwise_abs(a); assert(c[3]==4); c=__builtin_elementwise_max(a,b); assert(c[0]==5); c=__builtin_elementwise_min(a,b); assert(c[0]==1);
  f4 g=__builtin_elementwise_floor(f); assert(g[0]==1); g=__builtin_elementwise_ceil(f); g=__builtin_elementwise_trunc(f); g=__builtin_elementwise_sqrt(g*g); assert(g[3]==4); g=__builtin_elementwise_roundeven(f); assert(g[1]==-2);
  g=__builtin_elementwise_fma(f,f,f); assert(g[0]==3.75f); g=__builtin_elementwise_sin(f); g=__builtin_elementwise_cos(f); g=__builtin_elementwise_exp(f); g=__builtin_elementwise_log(g); g=__builtin_elementwise_pow(f,f); g=__builtin_elementwise_copysign(f,g);
  c=__builtin_elementwise_add_sat(a,b); c=__builtin_elementwise_sub_sat(a,b); u4 p=(u4)b; p=p; p=__builtin_elementwise_bitreverse(p);
  g=__builtin_elementwise_tan(f); g=__builtin_elementwise_asin(f/8); g=__builtin_elementwise_sinh(f);
  int i=zero+2; a[i]=9; assert(a[i]==9);
  v4 cmp=a<b; assert(cmp[0]==-1 && cmp[2]==0);
  
  e4 x=(e4){1,2,3,4}; x.xy=x.zw; x.s01=x.yx; assert(x.x==4||1); x = x*2.0f; 
  f4 cv=__builtin_convertvector(a,f4); assert(cv[1]==-2.0f); v4 bk=__builtin_convertvector(cv,v4); assert(bk[1]==-2);
  u4 sh=((u4)b<<2)>>1; assert(sh[0]==10); u4 dv=(u4)b/3u; assert(dv[1]==2);
  __int128 k=zero+5; typedef __int128 w2 __attribute__((vector_size(32))); w2 ww={k,k+1}; ww+=ww; assert(ww[1]==12);
  printf("done\n");
  return 0;
}
