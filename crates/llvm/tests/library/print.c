// The printf family: every conversion, flag and modifier.
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int say(const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vprintf(format, values);
  va_end(values);
  return length;
}

static int put(char *buffer, size_t size, const char *format, ...) {
  va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length != vsnprintf(buffer, size, format, values)) puts("lengths differ");
  va_end(values);
  return length;
}

static double sum(int count, ...) {
  va_list values;
  va_start(values, count);
  double total = 0;
  for (int i = 0; i < count; i++) total += i % 2 ? va_arg(values, double) : va_arg(values, int);
  va_end(values);
  return total;
}

int main(void) {
  printf("%d %i %u %x %X %o %c %s %%\n", -1, 2, 3u, 255u, 255u, 8u, 'x', "text");
  printf("[%5d][%-5d][%05d][%+d][% d][%.3d][%8.3d][%-8.3d][%08.3d]\n", 42, 42, 42, 42, 42, 42, 42, 42, 42);
  printf("%hhd %hd %d %ld %lld %jd %zd %td\n", (signed char)-1, (short)-2, -3, -4l, -5ll, (intmax_t)-6, (ssize_t)-7, (ptrdiff_t)-8);
  printf("%hhu %hu %u %lu %llu %ju %zu\n", UCHAR_MAX, USHRT_MAX, UINT_MAX, ULONG_MAX, ULLONG_MAX, UINTMAX_MAX, SIZE_MAX);
  printf("%d %d %ld %ld\n", INT_MIN, INT_MAX, LONG_MIN, LONG_MAX);
  printf("%#x %#X %#o %#x %#010x %-#10x|\n", 255, 255, 8, 0, 255, 255);
  printf("%*d|%-*d|%.*d|%*.*f\n", 5, 1, 5, 2, 3, 3, 8, 2, 3.14159);
  printf("[%s][%10s][%-10s][%.2s][%10.2s][%c][%5c][%-5c]\n", "abc", "abc", "abc", "abc", "abc", 'a', 'b', 'c');
  printf("%f %.0f %.1f %10.3f %-10.2f| %+f %e %.3E %g %G %g %g\n", 1.5, 2.5, 0.05, 3.14159, 2.71828, 1.0, 12345.678, 0.00012, 0.0001, 1e10, 1e-5, 123456789.0);
  printf("%f %e %g %F\n", 1.0 / 0.0, -1.0 / 0.0, 1e300, 1e20);
  printf("%a %A %.2a %a\n", 1.0, 255.5, 1.999, 0.0);
  printf("%p %s\n", (void *)0, "end");
  float small = 0.1f;
  printf("%f %.10f %g\n", small, small, small);
  char buffer[16];
  int length = snprintf(buffer, sizeof buffer, "%s-%d", "a long text that is cut", 5);
  printf("%d %s\n", length, buffer);
  length = sprintf(buffer, "%d,%d", 12, 34);
  printf("%d %s %zu\n", length, buffer, strlen(buffer));
  printf("%d\n", snprintf(NULL, 0, "%d", 12345));
  printf("%d\n", say("%d %s %f %ld\n", 1, "two", 3.0, 4l));
  printf("%d %s\n", put(buffer, 8, "%s%c%.1f", "abc", 'd', 2.0), buffer);
  printf("%.3f\n", sum(9, 1, 2.5, 3, 4.5, 5, 6.5, 7, 8.5, 9));
  char *text;
  printf("%d ", asprintf(&text, "%08.3f", 3.14159));
  puts(text);
  free(text);
  putchar('x');
  fputs("y", stdout);
  fputc('z', stdout);
  fprintf(stdout, "%d\n", fprintf(stdout, "!"));
  fwrite("bytes\n", 1, 6, stdout);
  fflush(stdout);
  static char shared[8];
  sprintf(shared, "%d", 77);
  printf("%s %.1s\n", shared, shared);
  int count = -1;
  long total = -1;
  signed char least = -1;
  printf("abc%nde%lnf%hhn\n", &count, &total, &least);
  printf("%d %ld %d\n", count, total, least);
  printf("%ls|%5ls|%.2ls|%lc|%-4lc|\n", L"wide", L"abc", L"abcdef", (wint_t)'w', (wint_t)'x');
  return 0;
}
