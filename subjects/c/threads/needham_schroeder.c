//@ args: --entry main --stop-at first-failure
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// The Needham-Schroeder protocol with public keys (section 7.5 of the paper), and an intruder who owns the network. Ann begins a session with
// whomever the input says, Bob answers. Lowe's attack: Ann talks to Ian, who lets Bob believe that he talks to Ann. Lowe's correction: the
// second message names who answers. The intruder is Dolev and Yao's: he sends on what he got, or says anything he has the parts of.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <xcute.h>

#ifndef ROUNDS
#define ROUNDS 3
#endif

enum { ANN = 1, BOB = 2, IAN = 3, NONCE_A = 11, NONCE_B = 12, NONCE_I = 13, END = 0, STOP = -1 };

/* What only the owner of the key can read; key END says that nobody answers, STOP that it is over. */
struct message { int key, first, second, name; };

struct mailbox { sem_t full; pthread_mutex_t lock; int sent, read; struct message at[8]; };
static struct mailbox wire, to_ann, to_bob;

static void post(struct mailbox *box, struct message m) {
  pthread_mutex_lock(&box->lock);
  box->at[box->sent++] = m;
  pthread_mutex_unlock(&box->lock);
  sem_post(&box->full);
}

static struct message get(struct mailbox *box) {
  sem_wait(&box->full);
  pthread_mutex_lock(&box->lock);
  struct message m = box->at[box->read++];
  pthread_mutex_unlock(&box->lock);
  return m;
}

static int partner; /* of Ann */
static const struct message nothing = {END, 0, 0, 0};

static void *ann(void *unused) {
  (void)unused;
  post(&wire, (struct message){partner, NONCE_A, ANN, 0});
  for (int over = 0;;) {
    struct message m = get(&to_ann), answer = nothing;
    if (m.key == STOP) return 0;
    if (!over && m.key == ANN && m.first == NONCE_A) {
#ifdef FIXED
      if (m.name == partner)
#endif
        answer = (struct message){partner, m.second, 0, 0}, over = 1;
    }
    post(&wire, answer);
  }
}

static void *bob(void *unused) {
  (void)unused;
  for (int other = 0;;) {
    struct message m = get(&to_bob), answer = nothing;
    if (m.key == STOP) return 0;
    if (m.key == BOB) {
      if (other == 0) {
        if (m.second == ANN || m.second == IAN) {
          other = m.second;
          answer = (struct message){other, m.first, NONCE_B, BOB};
        }
      } else if (m.first == NONCE_B && m.second == 0) {
        assert(other != ANN || partner == BOB); //! assertion unless FIXED
      }
    }
    post(&wire, answer);
  }
}

static struct message seen[8];
static int n_seen, knows_a, knows_b;

static int knows(int part) { return (part >= 0 & part <= IAN) | part == NONCE_I | (knows_a & part == NONCE_A) | (knows_b & part == NONCE_B); }

static void listen(void) {
  struct message m = get(&wire);
  if (m.key == END) return;
  seen[n_seen++] = m;
  if (m.key == IAN) {
    knows_a |= m.first == NONCE_A | m.second == NONCE_A;
    knows_b |= m.first == NONCE_B | m.second == NONCE_B;
  }
}

static void *ian(void *unused) {
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) {
    struct message m = nothing;
    int to = BOB;
    xcute_input(m);
    xcute_input(to);
    xcute_assume(to == ANN || to == BOB);
    listen();
    int can = knows(m.first) & knows(m.second) & knows(m.name);
    for (int i = 0; i < n_seen; i++)
      can |= m.key == seen[i].key & m.first == seen[i].first & m.second == seen[i].second & m.name == seen[i].name;
    xcute_assume(m.key >= ANN && m.key <= IAN && can);
    post(to == ANN ? &to_ann : &to_bob, m);
  }
  post(&to_ann, (struct message){STOP, 0, 0, 0});
  post(&to_bob, (struct message){STOP, 0, 0, 0});
  return 0;
}

int main(void) {
  struct mailbox *boxes[] = {&wire, &to_ann, &to_bob};
  for (int i = 0; i < 3; i++) sem_init(&boxes[i]->full, 0, 0), pthread_mutex_init(&boxes[i]->lock, 0);
  xcute_input(partner);
  xcute_assume(partner == BOB || partner == IAN);
  pthread_t t[3];
  pthread_create(&t[0], 0, ann, 0);
  pthread_create(&t[1], 0, bob, 0);
  pthread_create(&t[2], 0, ian, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
