/* User code for Trunnion: routines in a shared library that FUNCTION=USER(...) calls. For C and C++.
 *
 *   #include "trunnion_user.h"
 *   TRUNNION_USER_LIBRARY
 *   TRUNNION_EXPORT void spring(trunnion_context* c, int id, double time, const double* par, int npar, int dflag,
 *                               int iflag, double* result) {
 *     double x = trunnion_read(c, "DM", 2, (int)par[0], (int)par[1]);
 *     result[0] = -par[2] * x;
 *     if (dflag) trunnion_partial(c, 0, -par[2], "DM", 2, (int)par[0], (int)par[1]);
 *   }
 *   cc -shared -fPIC -I include spring.c -o libspring.so
 *   SFORCE/1, TRANSLATIONAL, I=2, J=3, FUNCTION=USER(2,3,100)\ROUTINE=spring::spring
 *
 * The first call of every statement has iflag = 1. In it a routine must read all that it will ever read, whatever the
 * values are: the equations get their structure from this call. Every reading gives 0 in it, and what it puts into
 * result is not used. A reading that comes up for the first time later ends the analysis with a message.
 * The result must depend on time, par and the readings only: the solver calls at trial states, in no order, and more than
 * once at the same time.
 */
#ifndef TRUNNION_USER_H
#define TRUNNION_USER_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRUNNION_USER_VERSION 1

#if defined(_WIN32)
#define TRUNNION_VISIBLE __declspec(dllexport)
#else
#define TRUNNION_VISIBLE __attribute__((visibility("default")))
#endif
#ifdef __cplusplus
#define TRUNNION_EXPORT extern "C" TRUNNION_VISIBLE
#define TRUNNION_USER_LIBRARY                              \
  extern "C" {                                             \
  extern TRUNNION_VISIBLE const int trunnion_user_version; \
  const int trunnion_user_version = TRUNNION_USER_VERSION; \
  }
#else
#define TRUNNION_EXPORT TRUNNION_VISIBLE
/* Once in each library: tells the solver that these routines are meant for it. */
#define TRUNNION_USER_LIBRARY TRUNNION_VISIBLE const int trunnion_user_version = TRUNNION_USER_VERSION;
#endif

/* What the solver does for a routine; use the functions below instead. */
typedef struct trunnion_context {
  size_t size; /* of this struct: later versions add at its end */
  void* host;
  int (*read)(void* host, const char* name, const int* ids, int nids, double* values, int capacity);
  void (*partial)(void* host, int result, int component, double value, const char* name, const int* ids,
                  int nids);
  void (*fail)(void* host, const char* message);
} trunnion_context;

/* Every routine has this form. id: the statement's. par: the npar numbers in USER(...). dflag: 1 where partial
 * derivatives may be handed back. iflag: 1 in the first call, see above. result, all zero at first, has
 *
 *   statement   name if ROUTINE is not given   result
 *   SFORCE      sfosub                         1  the force or torque
 *   VFORCE      vfosub                         3  force along x, y, z of RM
 *   VTORQUE     vtosub                         3  torque about x, y, z of RM
 *   GFORCE      gfosub                         6  force, torque
 *   FIELD       fiesub                         6  force, torque on I along J
 *   VARIABLE    varsub                         1  its value
 *   DIFF        difsub                         1  the rate, or with IMPLICIT what shall be zero
 *   GSE         gsesub                         NS rates, NO outputs, ND sampled states at the next sample; it reads
 *                                              its arrays X, XD and U. With INTERFACE= a routine for each:
 *               gse_deriv                      NS rates
 *               gse_output                     NO outputs
 *               gse_update                     ND sampled states at the next sample
 *               gse_samp                       1  of SAMPLE_PERIOD=USER(...): time to the next sample
 *   REQUEST     reqsub                         8  components
 *   SENSOR      sensub                         1  what is watched; sevsub for EVALUATE
 *   MOTION      motsub                         3  displacement, velocity, acceleration as functions of time alone
 *                                                 (of a MOTION/.., VELOCITY: velocity and its first two derivatives)
 *   COUPLER     cousub                         1  what shall be zero, of the joints' displacements, which it reads with
 *                                                 trunnion_read_array(c, x, 3, "COUPLER", 1, id), and of nothing else
 *               couxx                          n  first derivatives by them, n = 2 or 3 joints
 *               couxx2                         n(n+1)/2  second ones: 11 12 22, or 11 12 13 22 23 33. Where ROUTINE=
 *                                                 names the first only, or the library has no couxx or couxx2, the
 *                                                 solver takes differences
 *   CONTACT     cnfsub                         1  NORMAL_FUNCTION: the force that pushes both sides apart at one touch, which it
 *                                                 reads with trunnion_read_array(c, x, 15, "CONTACT", 1, id): the point from I's
 *                                                 marker and the way I is pushed, along I's marker; the same of J; gap (negative
 *                                                 in contact), its rate; area
 *               cffsub                         3  FRICTION_FUNCTION: friction on I along J's marker, of 11 numbers: the point from
 *                                                 I's marker and from J's, slip velocity along J's marker, normal force, area
 *   MFORCE      mfosub                         of a body with M modes, with FORCE=USER(...): 6 + M  force and torque on
 *                                              its frame along the frame's axes, then a load on each mode. With
 *                                              FUNCTION=USER(...): 8 + M  a factor, the number of a load case, and as
 *                                              above a load that is taken where that number is 0
 *   FLEX_BODY   dmpsub                         M  CRATIO of each mode
 *   CURVE       cursub                         9  x, y, z, first and second derivatives by the curve's parameter, which
 *                                                 comes as time; nothing may be read
 */
typedef void trunnion_routine(trunnion_context* context, int id, double time, const double* par, int npar,
                              int dflag, int iflag, double* result);

#define TRUNNION_MOST_IDS 6

static inline int trunnion_ids_(int* ids, int nids, va_list list) {
  int k;
  if (nids > TRUNNION_MOST_IDS) nids = TRUNNION_MOST_IDS;
  for (k = 0; k < nids; ++k) ids[k] = va_arg(list, int);
  return nids;
}

/* A function of the language by its name and its nids whole numbers: trunnion_read(c, "DX", 3, i, j, k), "VARVAL",
 * "JOINT", "ARYVAL", "TIME" with none … It gives 0 where there is no such thing; the solver then says so. */
static inline double trunnion_read(trunnion_context* c, const char* name, int nids, ...) {
  int ids[TRUNNION_MOST_IDS];
  double value = 0;
  va_list list;
  va_start(list, nids);
  nids = trunnion_ids_(ids, nids, list);
  va_end(list);
  c->read(c->host, name, ids, nids, &value, 1);
  return value;
}

/* Several at once; returns how many there are, and fills in no more than capacity.
 *   TDISP (i, j, k) TVEL (i, j, k, l) TACC (i, j, k, l) RDISP (i, j) RVEL (i, j, k) RACC (i, j, k, l)    3
 *   DISP VEL ACC FORCE (i, j, k)                                                                         6
 *   ARRAY (id) PINPUT (id) POUTPUT (id)                                                                  its size
 * of FLEX_BODY id, in the order of its active modes
 *   MODES (id) MODE_RATES (id) FXFREQ (id)   modal coordinates, their rates, frequencies in Hz           M
 *   MODLOAD (id, case)                       a load case: on the frame, then on the modes                6 + M */
static inline int trunnion_read_array(trunnion_context* c, double* values, int capacity, const char* name,
                                      int nids, ...) {
  int ids[TRUNNION_MOST_IDS];
  va_list list;
  va_start(list, nids);
  nids = trunnion_ids_(ids, nids, list);
  va_end(list);
  return c->read(c->host, name, ids, nids, values, capacity);
}

/* In a call with dflag = 1: ∂result[number]/∂(what trunnion_read gives for this name). Once a routine hands back one
 * partial for a reading, those it does not hand back for it are zero. For readings without any the solver takes central
 * differences. */
static inline void trunnion_partial(trunnion_context* c, int number, double value, const char* name, int nids,
                                    ...) {
  int ids[TRUNNION_MOST_IDS];
  va_list list;
  va_start(list, nids);
  nids = trunnion_ids_(ids, nids, list);
  va_end(list);
  c->partial(c->host, number, 0, value, name, ids, nids);
}

/* The same for entry component, from 0, of what trunnion_read_array gives. */
static inline void trunnion_partial_array(trunnion_context* c, int number, int component, double value,
                                          const char* name, int nids, ...) {
  int ids[TRUNNION_MOST_IDS];
  va_list list;
  va_start(list, nids);
  nids = trunnion_ids_(ids, nids, list);
  va_end(list);
  c->partial(c->host, number, component, value, name, ids, nids);
}

/* The result cannot be computed at this state. The solver takes a smaller step, or gives up with this message. */
static inline void trunnion_fail(trunnion_context* c, const char* message) { c->fail(c->host, message); }

#ifdef __cplusplus
}
#endif
#endif
