/* All atomic operations, on types of all sizes. */
#include <stdio.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
_Atomic int ai=5; _Atomic long al; _Atomic short as; _Atomic char ac; _Atomic _Bool ab; _Atomic float af=1.5f; _Atomic double ad=2.5; _Atomic(int*) ap; _Atomic unsigned long au; atomic_flag fl=ATOMIC_FLAG_INIT; _Atomic __int128 aw; struct s3{char c[3];}; _Atomic struct s3 a3; struct s16{long a,b;}; _Atomic struct s16 a16; struct s32{long a[4];}; _Atomic struct s32 a32; _Atomic long double ald;
int plain; long pl; 
int main(void){
  int e=5; assert(atomic_compare_exchange_strong(&ai,&e,6)); assert(!atomic_compare_exchange_weak_explicit(&ai,&e,7,memory_order_acq_rel,memory_order_relaxed)&&e==6);
  ai+=2; ai-=1; ai*=3; ai/=3; ai%=100; ai<<=1; ai>>=1; ai|=8; ai&=15; ai^=1; ai++; --ai; assert(ai==14 || 1);
  af+=1; ad*=2; af++; assert(ad==5); ab=1; ab|=1; ac++; as--; al=-5; al=al*al; ap=&e; ap++; atomic_fetch_add(&ap,1); 
  assert(!atomic_flag_test_and_set(&fl)); atomic_flag_clear(&fl); atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_seq_cst); assert(atomic_is_lock_free(&ai)); atomic_init(&ai,3); kill_dependency(e);
  aw=7; aw+=3; __int128 w=atomic_exchange(&aw,1); assert(w==10); w=1; assert(atomic_compare_exchange_strong(&aw,&w,5)); atomic_fetch_or(&aw,8);
  struct s3 x={{1,2,3}}; a3=x; struct s3 y=a3; assert(y.c[2]==3); struct s16 z={1,2}; a16=z; z=a16; assert(atomic_compare_exchange_strong(&a16,&z,z)); struct s32 b={{1}}; a32=b; b=atomic_load(&a32); atomic_exchange(&a32,b); assert(atomic_compare_exchange_strong(&a32,&b,b));
  ald=1.5L; ald+=1; assert(ald==2.5L);
  assert(__sync_fetch_and_add(&plain,1)==0 && __sync_add_and_fetch(&plain,1)==2 && __sync_fetch_and_nand(&plain,1)==2 && __sync_bool_compare_and_swap(&plain,-1,4)); __sync_lock_test_and_set(&plain,1); __sync_lock_release(&plain); __sync_synchronize(); __sync_val_compare_and_swap(&pl,0,1);
  int o; __atomic_load(&plain,&o,5); __atomic_store(&plain,&o,5); __atomic_exchange(&plain,&o,&e,5); __atomic_compare_exchange(&plain,&o,&e,0,5,5); __atomic_fetch_nand(&plain,1,5); __atomic_add_fetch(&plain,1,5); __atomic_nand_fetch(&plain,1,5); __atomic_test_and_set(&plain,5); __atomic_clear(&plain,5); __atomic_always_lock_free(4,0); __atomic_is_lock_free(4,&plain); __atomic_thread_fence(5); __atomic_signal_fence(5); __atomic_fetch_max(&plain,3,5); __atomic_min_fetch(&plain,2,5); __c11_atomic_fetch_add(&ai,1,5); __atomic_load_n(&pl,0); __scoped_atomic_load_n(&pl,0,0);
  printf("done\n");
  return 0;
}
