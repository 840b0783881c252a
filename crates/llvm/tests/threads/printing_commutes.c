// verified 1
#include <pthread.h>
#include <stdio.h>
static void *run(void *number) {
  printf("thread %ld\n", (long)number);
  puts("done");
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
