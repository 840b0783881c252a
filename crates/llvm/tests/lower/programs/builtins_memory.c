/* The compiler's own functions on memory, and on integers of any size. */
#include <stdio.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <stddef.h>
volatile int zero;
volatile unsigned __int128 W;
int main(void){
  W=((unsigned __int128)5<<70)+9;
  assert(__builtin_popcountg(W)==4); assert(__builtin_clzg(W)==55); assert(__builtin_ctzg(W)==0);
  _BitInt(37) q=5+zero; q*=1000000; assert(q==5000000); unsigned _BitInt(7) z=127; z++; assert(z==0);
  char *p=__builtin_alloca(10+zero); memset(p,1,10); assert(p[9]==1);
  p=__builtin_alloca_with_align(48,256); assert(((uintptr_t)p&31)==0);
  assert(__builtin_is_aligned(p,16)); p=__builtin_align_up(p+1,16); p=__builtin_align_down(p,16);
  __builtin_memcpy_inline(p,"abc",4); __builtin_memset_inline(p,0,3); assert(p[0]==0);
  assert(__builtin_strlen("abc")==3 && __builtin_memcmp("a","b",1)<0 && __builtin_strcmp("a","a")==0);
  char buf[20]; __builtin___memcpy_chk(buf,"hello",6,20); __builtin___strcpy_chk(buf,"hi",20); __builtin___sprintf_chk(buf,0,20,"%d",5); __builtin___snprintf_chk(buf,10,0,20,"%d",5); __builtin___memset_chk(buf,0,20,20); __builtin___strncpy_chk(buf,"x",5,20);__builtin___strcat_chk(buf,"y",20);__builtin___memmove_chk(buf,buf+1,3,20);__builtin___stpcpy_chk(buf,"x",20);
  int *i=__builtin_assume_aligned(&zero,4); assert(*i==0); __builtin_assume(zero==0); __builtin_prefetch(p); __builtin_ia32_pause(); 
  assert(__builtin_choose_expr(1,2,"x")==2); assert(__builtin_types_compatible_p(int,int)); assert(_Generic(1,int:1,default:0)==1);
  assert(__builtin_return_address(0)!=(void*)1); assert(__builtin_frame_address(0)!=(void*)1); 
   (void)__builtin_dynamic_object_size(buf,0); (void)__builtin_unpredictable(zero);
  assert(__builtin_addressof(zero)==&zero); unsigned co; assert(__builtin_addc(0xffffffffu,1u+zero,0u,&co)==0&&co==1); assert(__builtin_subcl(0ul,1ul,0ul,(unsigned long*)malloc(8))==-1ul);
  __builtin_nondeterministic_value(zero); assert(__builtin_offsetof(struct{int a;int b;},b)==4);
  printf("done\n");
  return 0;
}
