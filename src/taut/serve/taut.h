/* taut.h - the host's side of `taut serve`, in one file, C99. MIT licence.

   #define TAUT_IMPLEMENTATION in one file before including it. POSIX sockets; on Windows link with ws2_32 and call
   WSAStartup first. Numbers are little-endian on the wire, as on every machine this is likely to meet.

     taut_host *t = taut_connect("127.0.0.1", 7345);
     t->control[taut_find(t->control_name, t->controls, "left.speed")] = 0.5;
     if (taut_step(t, 1, 0) != 0) puts(t->error);
     t->pose[7 * load + 2];        // height of a body [m]
     taut_close(t);
*/
#ifndef TAUT_H
#define TAUT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TAUT_HELLO = 1, TAUT_SETUP, TAUT_READY, TAUT_STEP, TAUT_STATE, TAUT_ERROR, TAUT_BYE };
enum { TAUT_PLAIN = 0, TAUT_COUPLED = 1, TAUT_FORCES = 2 };       /* modes */
enum { TAUT_RESET = 1, TAUT_NO_POINTS = 2 };                      /* flags of taut_step */
#define TAUT_VERSION 1
#define TAUT_NAME 64

typedef struct {                       /* a body of the host, SI units, world axes */
  double position[3], orientation[4];  /* of its origin; quaternion w, x, y, z */
  double velocity[3], spin[3];
  double force[3], torque[3];          /* from the host besides gravity, about the centre of mass */
} taut_body;

typedef struct {
  uint32_t mode, controls, bodies, ropes, coupled;
  double dt;                                                      /* [s] */
  char (*control_name)[TAUT_NAME], (*body_name)[TAUT_NAME], (*rope_name)[TAUT_NAME], (*coupled_name)[TAUT_NAME];
  double *control;                                                /* to be set: [controls], as the scene starts */
  taut_body *body;                                                /* to be set: [coupled] */
  uint64_t step;
  double time;                                                    /* [s] */
  double *pose;                                                   /* [bodies][7]: position [m], quaternion w, x, y, z */
  double *tension;                                                /* [ropes][2]: at the start, at the end [N] */
  double *pull;                                                   /* [coupled][6]: impulse [N s, N m s] or force [N, N m] */
  uint32_t *points;                                               /* [ropes]: how many points each has */
  double *point;                                                  /* of all ropes, one after the other: [][3] [m] */
  char error[1024];                                               /* what went wrong, in words */
  /* private */
  long long socket_;
  unsigned char *buffer_, *out_;
  size_t room_;
} taut_host;

taut_host *taut_connect(const char *address, int port);            /* NULL: nobody listens there */
int taut_find(char (*names)[TAUT_NAME], uint32_t count, const char *name);  /* -1: no such name */
/* mass [kg] and inertia [3] [kg m^2] of each coupled body; the largest stable step [s]; 0 or -1, then see error */
int taut_setup(taut_host *t, const double (*mass_inertia)[4], double *largest_step);
int taut_step(taut_host *t, uint32_t steps, uint32_t flags);       /* 0 or -1, then see error */
void taut_close(taut_host *t);

#ifdef __cplusplus
}
#endif
#endif

#ifdef TAUT_IMPLEMENTATION
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#define taut_shut_ closesocket
#else
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#define taut_shut_ close
#endif

static int taut_fail_(taut_host *t, const char *text) {
  snprintf(t->error, sizeof t->error, "%s", text);
  return -1;
}

static int taut_send_(taut_host *t, const unsigned char *data, size_t size) {
  while (size) {
    long sent = (long)send((int)t->socket_, (const char *)data, (int)size, 0);
    if (sent <= 0) return taut_fail_(t, "the server has gone");
    data += sent;
    size -= (size_t)sent;
  }
  return 0;
}

static int taut_recv_(taut_host *t, unsigned char *data, size_t size) {
  while (size) {
    long got = (long)recv((int)t->socket_, (char *)data, (int)size, 0);
    if (got <= 0) return taut_fail_(t, "the server has gone");
    data += got;
    size -= (size_t)got;
  }
  return 0;
}

/* the next message into buffer_; its kind, or -1 */
static int taut_receive_(taut_host *t, uint64_t *size) {
  unsigned char head[16];
  uint32_t kind;
  if (taut_recv_(t, head, 16)) return -1;
  if (memcmp(head, "TAUT", 4)) return taut_fail_(t, "this is not taut serve");
  memcpy(&kind, head + 4, 4);
  memcpy(size, head + 8, 8);
  if (*size + 1 > t->room_) {
    unsigned char *more = (unsigned char *)realloc(t->buffer_, (size_t)*size + 1);
    if (!more) return taut_fail_(t, "not enough memory");
    t->buffer_ = more;
    t->room_ = (size_t)*size + 1;
  }
  if (taut_recv_(t, t->buffer_, (size_t)*size)) return -1;
  t->buffer_[*size] = 0;
  if (kind == TAUT_ERROR) return taut_fail_(t, (char *)t->buffer_);
  return (int)kind;
}

static void taut_head_(unsigned char *out, uint32_t kind, uint64_t size) {
  memcpy(out, "TAUT", 4);
  memcpy(out + 4, &kind, 4);
  memcpy(out + 8, &size, 8);
}

taut_host *taut_connect(const char *address, int port) {
  struct sockaddr_in to;
  uint32_t head[6], k;
  uint64_t size;
  int yes = 1;
  char (*names)[TAUT_NAME];
  taut_host *t = (taut_host *)calloc(1, sizeof *t);
  if (!t) return NULL;
  memset(&to, 0, sizeof to);
  to.sin_family = AF_INET;
  to.sin_port = htons((unsigned short)port);
  inet_pton(AF_INET, address, &to.sin_addr);
  t->socket_ = (long long)socket(AF_INET, SOCK_STREAM, 0);
  if (connect((int)t->socket_, (struct sockaddr *)&to, sizeof to)) { free(t); return NULL; }
  setsockopt((int)t->socket_, IPPROTO_TCP, TCP_NODELAY, (const char *)&yes, sizeof yes);
  if (taut_receive_(t, &size) != TAUT_HELLO) { taut_close(t); return NULL; }
  memcpy(head, t->buffer_, 24);
  if (head[0] != TAUT_VERSION) { taut_close(t); return NULL; }
  t->mode = head[1];
  t->controls = head[2];
  t->bodies = head[3];
  t->ropes = head[4];
  t->coupled = head[5];
  memcpy(&t->dt, t->buffer_ + 24, 8);
  k = t->controls + t->bodies + t->ropes + t->coupled;
  names = (char (*)[TAUT_NAME])calloc(k + 1, TAUT_NAME);
  memcpy(names, t->buffer_ + 32, (size_t)k * TAUT_NAME);
  t->control_name = names;
  t->body_name = names + t->controls;
  t->rope_name = t->body_name + t->bodies;
  t->coupled_name = t->rope_name + t->ropes;
  t->control = (double *)calloc(t->controls + 1, sizeof(double));
  memcpy(t->control, t->buffer_ + 32 + (size_t)k * TAUT_NAME, 8 * (size_t)t->controls);
  t->body = (taut_body *)calloc(t->coupled + 1, sizeof(taut_body));
  t->pose = (double *)calloc(7 * (size_t)t->bodies + 1, sizeof(double));
  t->tension = (double *)calloc(2 * (size_t)t->ropes + 1, sizeof(double));
  t->pull = (double *)calloc(6 * (size_t)t->coupled + 1, sizeof(double));
  t->points = (uint32_t *)calloc(t->ropes + 2, sizeof(uint32_t));
  t->out_ = (unsigned char *)calloc(1, 64 + 8 * (size_t)t->controls + sizeof(taut_body) * (size_t)t->coupled);
  for (k = 0; k < t->coupled; k++) t->body[k].orientation[0] = 1.0;
  return t;
}

int taut_find(char (*names)[TAUT_NAME], uint32_t count, const char *name) {
  uint32_t k;
  for (k = 0; k < count; k++)
    if (!strcmp(names[k], name)) return (int)k;
  return -1;
}

int taut_setup(taut_host *t, const double (*mass_inertia)[4], double *largest_step) {
  unsigned char head[16];
  uint64_t size = 32 * (uint64_t)t->coupled;
  taut_head_(head, TAUT_SETUP, size);
  if (taut_send_(t, head, 16) || taut_send_(t, (const unsigned char *)mass_inertia, (size_t)size)) return -1;
  if (taut_receive_(t, &size) != TAUT_READY) return -1;
  if (largest_step) memcpy(largest_step, t->buffer_, 8);
  return 0;
}

int taut_step(taut_host *t, uint32_t steps, uint32_t flags) {
  size_t at = 24, controls = 8 * (size_t)t->controls, bodies = sizeof(taut_body) * (size_t)t->coupled;
  uint64_t size = 8 + controls + bodies;
  uint32_t k;
  const unsigned char *in;
  taut_head_(t->out_, TAUT_STEP, size);
  memcpy(t->out_ + 16, &steps, 4);
  memcpy(t->out_ + 20, &flags, 4);
  memcpy(t->out_ + at, t->control, controls);
  memcpy(t->out_ + at + controls, t->body, bodies);
  if (taut_send_(t, t->out_, 16 + (size_t)size)) return -1;
  if (taut_receive_(t, &size) != TAUT_STATE) return -1;
  in = t->buffer_;
  memcpy(&t->step, in, 8);
  memcpy(&t->time, in + 8, 8);
  in += 16;
  memcpy(t->pose, in, 56 * (size_t)t->bodies);
  in += 56 * (size_t)t->bodies;
  memcpy(t->tension, in, 16 * (size_t)t->ropes);
  in += 16 * (size_t)t->ropes;
  memcpy(t->pull, in, 48 * (size_t)t->coupled);
  in += 48 * (size_t)t->coupled;
  memcpy(t->points, in, 4 * (size_t)t->ropes);
  in += 4 * (size_t)(t->ropes + t->ropes % 2);
  for (at = 0, k = 0; k < t->ropes; k++) at += t->points[k];
  t->point = (double *)realloc(t->point, 24 * at + 8);
  memcpy(t->point, in, 24 * at);
  return 0;
}

void taut_close(taut_host *t) {
  unsigned char head[16];
  if (!t) return;
  taut_head_(head, TAUT_BYE, 0);
  taut_send_(t, head, 16);
  taut_shut_((int)t->socket_);
  free(t->control_name);
  free(t->control);
  free(t->body);
  free(t->pose);
  free(t->tension);
  free(t->pull);
  free(t->points);
  free(t->point);
  free(t->buffer_);
  free(t->out_);
  free(t);
}
#endif
