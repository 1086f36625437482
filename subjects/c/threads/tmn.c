//@ args: --entry main --stop-at first-failure
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// The TMN protocol (section 7.6 of the paper): Ann and Bob get a common key from a server. Each sends a key of his own, sealed for the
// server; the server tells Ann the exclusive or of the two, so that she knows Bob's. An intruder sees all that is sent, and opens a
// session of his own: with Bob's sealed key as if it were his, the server tells him Bob's key. Corrected, a sealed key has its owner's name in
// it, and the server looks. (That it takes no sealed key twice is not enough: Ian's message can overtake Bob's.)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <xcute.h>

enum { ANN, BOB, IAN, PEOPLE, SERVER = PEOPLE };
enum { REQUEST, CALL, REPLY, KEY, STOP };

/* `sealed` is the number of a sealed key: only the server can look into `inside`. */
struct message { int kind, from, sealed, key; };
struct mailbox { sem_t full; pthread_mutex_t lock; int sent, read; struct message at[8]; };
static struct mailbox boxes[PEOPLE + 1];

static const int inside[PEOPLE] = {0x51, 0x62, 0x73}; /* the keys of Ann, Bob and Ian */

/* What everybody can see: the sealed keys that were sent. */
static pthread_mutex_t air = PTHREAD_MUTEX_INITIALIZER;
static int heard[PEOPLE];

static void post(int to, struct message m) {
  struct mailbox *box = &boxes[to];
  if (to == SERVER) {
    pthread_mutex_lock(&air);
    heard[m.sealed] = 1;
    pthread_mutex_unlock(&air);
  }
  pthread_mutex_lock(&box->lock);
  box->at[box->sent++] = m;
  pthread_mutex_unlock(&box->lock);
  sem_post(&box->full);
}

static struct message get(int who) {
  struct mailbox *box = &boxes[who];
  sem_wait(&box->full);
  pthread_mutex_lock(&box->lock);
  struct message m = box->at[box->read++];
  pthread_mutex_unlock(&box->lock);
  return m;
}

/* Two sessions: Ann's with Bob, Ian's with himself. */
static void *server(void *unused) {
  (void)unused;
  int first[PEOPLE] = {-1, -1, -1};
  for (int answers = 0; answers < 2;) {
    struct message m = get(SERVER);
    int starter = m.from == BOB ? ANN : m.from;
#ifdef FIXED
    if (m.sealed != m.from) {
      post(m.from, (struct message){STOP, SERVER, 0, 0});
      answers++;
      continue;
    }
#endif
    if (m.kind == REQUEST) {
      first[starter] = m.sealed;
      post(m.from == ANN ? BOB : IAN, (struct message){CALL, SERVER, 0, 0});
    } else {
      post(starter, (struct message){KEY, SERVER, 0, inside[first[starter]] ^ inside[m.sealed]});
      answers++;
    }
  }
  return 0;
}

static void *ann(void *unused) {
  (void)unused;
  post(SERVER, (struct message){REQUEST, ANN, ANN, 0});
  struct message m = get(ANN);
  assert((m.key ^ inside[ANN]) == inside[BOB]);
  return 0;
}

static void *bob(void *unused) {
  (void)unused;
  get(BOB);
  post(SERVER, (struct message){REPLY, BOB, BOB, 0});
  return 0;
}

static int choose(void) {
  int sealed = IAN;
  xcute_input(sealed);
  xcute_assume(sealed >= 0 && sealed < PEOPLE);
  pthread_mutex_lock(&air);
  int possible = sealed == IAN || heard[sealed];
  pthread_mutex_unlock(&air);
  return possible ? sealed : IAN;
}

static void *ian(void *unused) {
  (void)unused;
  post(SERVER, (struct message){REQUEST, IAN, choose(), 0});
  struct message m = get(IAN);
  if (m.kind == CALL) {
    post(SERVER, (struct message){REPLY, IAN, choose(), 0});
    m = get(IAN);
  }
  assert((m.key ^ inside[IAN]) != inside[BOB]); //! assertion unless FIXED
  return 0;
}

int main(void) {
  pthread_t t[4];
  for (int i = 0; i <= PEOPLE; i++) sem_init(&boxes[i].full, 0, 0), pthread_mutex_init(&boxes[i].lock, 0);
  pthread_create(&t[0], 0, server, 0);
  pthread_create(&t[1], 0, ann, 0);
  pthread_create(&t[2], 0, bob, 0);
  pthread_create(&t[3], 0, ian, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
