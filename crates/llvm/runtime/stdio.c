/* Output that needs no format. Both streams are the one output of the execution; input there is none. */

#include "runtime.h"

enum { WHOLE_STRING = -1 };

struct stream {
  int descriptor;
};

static const struct stream streams[3] = {{0}, {1}, {2}};

const struct stream *const stdin = &streams[0];
const struct stream *const stdout = &streams[1];
const struct stream *const stderr = &streams[2];

/* A stream that is none is found out. */
static void use(const void *stream) { (void)*(const volatile int *)stream; }

int puts(const char *string) {
  __mazurka_print(string, (size_t)WHOLE_STRING);
  putchar('\n');
  return 1;
}

int fputs(const char *string, void *stream) {
  use(stream);
  __mazurka_print(string, (size_t)WHOLE_STRING);
  return 1;
}

int fputc(int byte, void *stream) {
  use(stream);
  return putchar(byte);
}

int putc(int byte, void *stream) { return fputc(byte, stream); }
int putc_unlocked(int byte, void *stream) { return fputc(byte, stream); }
int _IO_putc(int byte, void *stream) { return fputc(byte, stream); }

size_t fwrite(const void *array, size_t size, size_t count, void *stream) {
  use(stream);
  if (size == 0 || count == 0) return 0;
  __mazurka_print(array, size * count);
  return count;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (descriptor != 1 && descriptor != 2) __mazurka_unmodelled("writing to a file");
  __mazurka_print(bytes, count);
  return (ssize_t)count;
}

int fflush(void *stream) {
  (void)stream;
  return 0;
}

int fclose(void *stream) {
  (void)stream;
  return 0;
}

int feof(void *stream) {
  (void)stream;
  return 0;
}

int ferror(void *stream) {
  (void)stream;
  return 0;
}

int fileno(void *stream) { return ((const struct stream *)stream)->descriptor; }
void flockfile(void *stream) { (void)stream; }
void funlockfile(void *stream) { (void)stream; }
void setbuf(void *stream, char *buffer) {
  (void)stream;
  (void)buffer;
}

int setvbuf(void *stream, char *buffer, int mode, size_t size) {
  (void)stream;
  (void)buffer;
  (void)mode;
  (void)size;
  return 0;
}

void perror(const char *string) {
  int number = errno;
  if (string != NULL && *string != 0) {
    __mazurka_print(string, (size_t)WHOLE_STRING);
    __mazurka_print(": ", 2);
  }
  __mazurka_print(strerror(number), (size_t)WHOLE_STRING);
  putchar('\n');
}

int vasprintf(char **result, const char *format, va_list values) {
  va_list again;
  va_copy(again, values);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = malloc((size_t)length + 1);
  if (text == NULL) return -1;
  *result = text;
  return vsnprintf(text, (size_t)length + 1, format, values);
}

int asprintf(char **result, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vasprintf(result, format, values);
  va_end(values);
  return length;
}
