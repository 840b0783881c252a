// violation DataRace
// What is printed is read.
#include <pthread.h>
#include <stdio.h>
char text[4] = "abc";
static void *run(void *unused) {
  text[1] = 'x';
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  printf("%s\n", text);
  pthread_join(t, 0);
  return 0;
}
