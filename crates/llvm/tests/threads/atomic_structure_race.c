// violation DataRace
// A structure that is stored atomically, by the library, and read by its parts.
#include <pthread.h>
#include <stdatomic.h>
struct pair {
  long a, b;
};
_Atomic struct pair shared;
static void *set(void *unused) {
  struct pair new = {1, 2};
  atomic_store(&shared, new);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  long b = ((long *)&shared)[1];
  pthread_join(t, 0);
  return b == 3;
}
