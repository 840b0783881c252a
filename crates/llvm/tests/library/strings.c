// Strings and memory.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }
static long at(const void *found, const void *from) { return found ? (const char *)found - (const char *)from : -1; }

int main(void) {
  char a[32], b[32];
  printf("%zu %zu %zu\n", strlen("hello"), strlen(""), strnlen("hello", 3));
  printf("%s %s\n", strcpy(a, "abc"), strncpy(b, "defghi", 4) ? "" : "");
  memset(b, 'x', sizeof b);
  strncpy(b, "ab", 5);
  for (int i = 0; i < 7; i++) printf("%d ", b[i]);
  puts("");
  printf("%s %s\n", strcat(a, "def"), strncat(a, "ghijk", 2));
  printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), sign(strcmp("a", "a")), sign(strcmp("a", "")));
  printf("%d %d %d\n", sign(strncmp("abc", "abd", 2)), sign(strncmp("abc", "abd", 3)), sign(strncmp("\xff", "a", 1)));
  printf("%d %d\n", sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("abX", "ABy", 3)));
  const char *text = "the quick brown fox";
  printf("%ld %ld %ld %ld\n", at(strchr(text, 'q'), text), at(strchr(text, 'z'), text), at(strrchr(text, 'o'), text), at(strchr(text, 0), text));
  printf("%ld %ld %ld\n", at(strstr(text, "brown"), text), at(strstr(text, "blue"), text), at(strstr(text, ""), text));
  printf("%zu %zu %ld %ld\n", strspn("aabbc", "ab"), strcspn("aabbc", "c"), at(strpbrk(text, "xyz"), text), at(strpbrk(text, "!"), text));
  char list[] = ",one,,two;three,";
  for (char *word = strtok(list, ",;"); word; word = strtok(NULL, ",;")) printf("[%s]", word);
  char more[] = "a b", *rest;
  printf("[%s][%s]", strtok_r(more, " ", &rest), strtok_r(NULL, " ", &rest));
  printf("%s\n", strtok_r(NULL, " ", &rest) ? "more" : "end");
  char separated[] = "x::y", *position = separated, *part;
  while ((part = strsep(&position, ":"))) printf("<%s>", part);
  puts("");
  char *copy = strdup(text), *prefix = strndup(text, 3);
  printf("%s %s\n", copy, prefix);
  free(copy);
  free(prefix);
  memcpy(a, "0123456789", 11);
  memmove(a + 2, a, 5);
  printf("%s %d %d\n", a, sign(memcmp("abc", "abd", 3)), sign(memcmp("abc", "abd", 2)));
  printf("%ld %ld %s\n", at(memchr(text, 'b', 19), text), at(memchr(text, 'b', 3), text), (char *)memset(a, '-', 3));
  printf("%s | %s | %s | %s\n", strerror(0), strerror(EINVAL), strerror(ENOMEM), strerror(12345));
  int *numbers = calloc(4, sizeof *numbers);
  for (int i = 0; i < 4; i++) numbers[i] += i;
  numbers = realloc(numbers, 8 * sizeof *numbers);
  for (int i = 4; i < 8; i++) numbers[i] = i;
  for (int i = 0; i < 8; i++) printf("%d ", numbers[i]);
  numbers = realloc(numbers, 2 * sizeof *numbers);
  printf("%d %d\n", numbers[0], numbers[1]);
  free(numbers);
  void *aligned;
  printf("%d %d\n", posix_memalign(&aligned, 64, 100), posix_memalign(&aligned, 3, 100) == EINVAL);
  unsigned classes = 0;
  for (int byte = 0; byte < 256; byte++) {
    classes = classes * 31 + (unsigned)(!!isalpha(byte) | !!isdigit(byte) << 1 | !!isspace(byte) << 2 | !!isupper(byte) << 3 |
                                        !!ispunct(byte) << 4 | !!isprint(byte) << 5 | !!iscntrl(byte) << 6 | !!isxdigit(byte) << 7 |
                                        !!isalnum(byte) << 8 | !!isgraph(byte) << 9 | !!isblank(byte) << 10 | !!islower(byte) << 11);
    classes = classes * 31 + (unsigned)(toupper(byte) + tolower(byte));
  }
  printf("%u\n", classes);
  char transformed[8];
  size_t length = strxfrm(transformed, "abc", sizeof transformed);
  printf("%zu %s %s\n", length, transformed, strerror(2));
  return 0;
}
