// violation DataRace
// An atomic operation on 16 bytes, and a plain access to some of them.
#include <pthread.h>
#include <stdatomic.h>
_Atomic __int128 wide;
static void *add(void *unused) {
  atomic_fetch_add(&wide, 1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  ((long *)&wide)[1] = 5;
  pthread_join(t, 0);
  return 0;
}
