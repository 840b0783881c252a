struct $pair { long a, b; };
union $parts { int word; short half[2]; unsigned char byte[4]; };
struct $rec { int a; short b; char c[6]; int *p; };
struct $counts { _Atomic int n; _Atomic short s; _Atomic char c; };
static int $x;
static int $y;
static long $z;
static short $s;
static unsigned char $c;
static union $parts $u;
static struct $pair $ps;
static _Atomic int $a;
static _Atomic int $b;
static _Atomic long $al;
static _Atomic unsigned char $ac;
static int *$gp;
static int *_Atomic $ap;
static struct $pair *_Atomic $pp;
static pthread_t $h[4];
static _Atomic int $up[4];
static _Atomic pthread_t $self;
static __thread int $tl;
static char $text[8];
static int $guarded;
static int $flag;
static pthread_mutex_t $m;
static pthread_mutex_t $n;
static pthread_mutex_t $r = {.data = {.kind = 1}};
static pthread_mutex_t $e = {.data = {.kind = 2}};
static pthread_cond_t $cv;
static pthread_spinlock_t $spin;
static pthread_rwlock_t $rw;
static pthread_barrier_t $bar;
static sem_t $sem;
static int $get(int *p) { return *p; }
static void $put(int *p, int v) { int old = *p; int *at = &old; *p = v; if (*at == v) *at = 0; }
static struct $rec $recs[3];
static struct $rec *_Atomic $arp;
static int *$block;
static int (*_Atomic $afn)(int);
static _Atomic int $cn[3];
static struct $counts $cs;
static _Atomic int *_Atomic $heap;
static pthread_once_t $once;
static pthread_key_t $key;
static pthread_cond_t $cv2;
static int $inc(int v) { return v + 1; }
static int $look(int v) { return $a + v; }
static int $order(const void *p, const void *q) { return $b ? *(int *)q - *(int *)p : *(int *)p - *(int *)q; }
static void $begin(void) { $x = 1; $a++; }
static void $end(void) { assert($b != 2); }
static void $bye(void *at) { if (at == &$x) $x = 2; else $b = 1; }
struct $lockbox { long v; pthread_mutex_t m; };
static pthread_mutex_t $ms[2];
static struct $lockbox $box[2];
static struct $lockbox *$boxes[2];
static pthread_mutex_t *$mp;
static void $take(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void $give(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
static int $try(pthread_mutex_t *m) { return pthread_mutex_trylock(m) == 0; }
static void (*$how)(pthread_mutex_t *);
static pthread_mutex_t *$pick(pthread_mutex_t *one, pthread_mutex_t *other, int which) { return which ? one : other; }
static void $deep(pthread_mutex_t *m, int n) { if (n == 0) pthread_mutex_lock(m); else $deep(m, n - 1); }
static void $swap(struct $lockbox *one, struct $lockbox *two) { pthread_mutex_lock(&one->m); pthread_mutex_lock(&two->m); pthread_mutex_unlock(&two->m); pthread_mutex_unlock(&one->m); }
static struct $lockbox *$new(void) { struct $lockbox *made = malloc(sizeof *made); struct $lockbox empty = {0}; *made = empty; return made; }
static void $pair_up(void) { struct $lockbox *other = $boxes[0]; $boxes[0] = $boxes[1]; $boxes[1] = other; }
