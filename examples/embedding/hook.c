/* A hook that belongs to this program hangs on a rope that belongs to Taut.

     taut serve hook.yaml --mode coupled --couple hook &        cc -O2 hook.c -o hook -lm && ./hook 7345 100

   Each frame: pose and velocity of the hook out, the impulse of the rope in; the program adds it to the hook's momentum,
   adds gravity and moves on. The rope has its true stiffness, the step is 1/60 s, the hook may be empty or carry 10 t. */
#define TAUT_IMPLEMENTATION
#include "taut.h"

#include <math.h>

int main(int argc, char **argv) {
  double mass = argc > 2 ? atof(argv[2]) : 100.0, v[3] = {0, 0, 0}, x[3] = {0, 0, 2}, w[3] = {0, 0, 0}, lowest = 2, most = 0;
  double q[4] = {1, 0, 0, 0}, inertia = 0.1 * mass, limit = 0, share;
  double setup[1][4] = {{mass, inertia, inertia, inertia}};
  int k, c, winch;
  taut_host *t = taut_connect("127.0.0.1", argc > 1 ? atoi(argv[1]) : 7345);
  if (!t) {
    fprintf(stderr, "nobody serves there; start `taut serve hook.yaml --mode coupled --couple hook` first\n");
    return 2;
  }
  if (taut_setup(t, (const double (*)[4])setup, &limit)) {
    fprintf(stderr, "%s\n", t->error);
    return 1;
  }
  /* --mode coupled gives the impulse of a step, --mode forces a force, which acts for a step */
  share = t->mode == TAUT_FORCES ? t->dt : 1.0;
  winch = taut_find(t->control_name, t->controls, "hoist.speed");
  for (k = 0; k < 600; k++) {
    taut_body *b = &t->body[0];
    double spin, half, s;
    for (c = 0; c < 3; c++) {
      b->position[c] = x[c];
      b->velocity[c] = v[c];
      b->spin[c] = w[c];
    }
    memcpy(b->orientation, q, sizeof q);
    t->control[winch] = k > 120 && k < 360 ? 0.5 : 0.0;
    if (taut_step(t, 1, 0)) {
      fprintf(stderr, "%s\n", t->error);
      return 1;
    }
    /* the impulse of the rope, then gravity, then the pose: semi-implicit Euler */
    for (c = 0; c < 3; c++) {
      v[c] += share * t->pull[c] / mass - (c == 2 ? 9.81 * t->dt : 0.0);
      w[c] += share * t->pull[3 + c] / inertia;
      x[c] += t->dt * v[c];
    }
    spin = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    half = 0.5 * spin * t->dt;
    s = spin > 1e-12 ? sin(half) / spin : 0.5 * t->dt;
    {
      double r[4] = {cos(half), s * w[0], s * w[1], s * w[2]}, p[4];
      p[0] = r[0] * q[0] - r[1] * q[1] - r[2] * q[2] - r[3] * q[3];
      p[1] = r[0] * q[1] + r[1] * q[0] + r[2] * q[3] - r[3] * q[2];
      p[2] = r[0] * q[2] - r[1] * q[3] + r[2] * q[0] + r[3] * q[1];
      p[3] = r[0] * q[3] + r[1] * q[2] - r[2] * q[1] + r[3] * q[0];
      memcpy(q, p, sizeof q);
    }
    if (x[2] < lowest) lowest = x[2];
    if (t->tension[0] > most) most = t->tension[0];
  }
  printf("hook of %.0f kg at %.4f m, lowest %.4f m, speed %.5f m/s, tension %.1f N, largest %.1f N\n", mass, x[2], lowest,
         sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), t->tension[0], most);
  taut_close(t);
  return 0;
}
