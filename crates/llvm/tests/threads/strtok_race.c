// violation DataRace
// strtok keeps its place in a variable that all threads share.
#include <pthread.h>
#include <string.h>
static void *run(void *text) {
  strtok(text, " ");
  return 0;
}
char one[] = "a b", other[] = "c d";
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, one);
  run(other);
  pthread_join(t, 0);
  return 0;
}
