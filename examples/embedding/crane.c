/* Drive the gantry of `taut serve gantry` from C, and say how long a round trip takes.

     taut serve gantry &           cc -O2 crane.c -o crane && ./crane 7345 */
#define _POSIX_C_SOURCE 199309L
#define TAUT_IMPLEMENTATION
#include "taut.h"

#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  enum { STEPS = 480 };
  static double trip[STEPS];
  int k, left, right, load, rope;
  taut_host *t = taut_connect("127.0.0.1", argc > 1 ? atoi(argv[1]) : 7345);
  if (!t) {
    fprintf(stderr, "nobody serves there; start `taut serve gantry` first\n");
    return 2;
  }
  left = taut_find(t->control_name, t->controls, "left.speed");
  right = taut_find(t->control_name, t->controls, "right.speed");
  load = taut_find(t->body_name, t->bodies, "load");
  rope = taut_find(t->rope_name, t->ropes, "left");
  if (left < 0 || right < 0 || load < 0 || rope < 0) {
    fprintf(stderr, "this is another scene; start `taut serve gantry`\n");
    return 2;
  }
  for (k = 0; k < STEPS; k++) {
    double begun = now();
    t->control[left] = t->control[right] = k < STEPS / 2 ? 0.8 : 0.0;
    if (taut_step(t, 1, 0)) {
      fprintf(stderr, "%s\n", t->error);
      return 1;
    }
    trip[k] = now() - begun;
  }
  qsort(trip, STEPS, sizeof trip[0], by_size);
  printf("time %.3f s, load at %.4f m, tension %.1f N and %.1f N, %u points of rope\n", t->time, t->pose[7 * load + 2],
         t->tension[2 * rope], t->tension[2 * rope + 1], t->points[rope]);
  printf("round trip p50 %.0f us, p99 %.0f us, max %.0f us\n", 1e6 * trip[STEPS / 2], 1e6 * trip[STEPS * 99 / 100],
         1e6 * trip[STEPS - 1]);
  taut_close(t);
  return 0;
}
