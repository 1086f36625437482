// The states of a client's handshake, in the shape of SV-COMP's s3_clnt.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int s = 12292, flag = 0, hit = __VERIFIER_nondet_int(), version = __VERIFIER_nondet_int(), shutdown = 0, init = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    switch (s) {
    case 12292: init = 1; s = 4368; if (__VERIFIER_nondet_int() == -12) return 0; break;
    case 4368: if (__VERIFIER_nondet_int() <= 0) return 0; s = 4384; if (flag == 0) flag = 1; break;
    case 4384: if (__VERIFIER_nondet_int() <= 0) return 0; if (flag == 1) flag = 2; s = hit ? 4560 : 4400; break;
    case 4400: if ((unsigned)version + 256 == 0) s = 4416; else { if (__VERIFIER_nondet_int() <= 0) return 0; s = 4416; if (flag == 2) flag = 3; } break;
    case 4416: if (__VERIFIER_nondet_int() <= 0) return 0; if (flag == 3) flag = 4; s = 4432; break;
    case 4432: if (__VERIFIER_nondet_int() <= 0) return 0; if (flag == 5) reach_error(); s = 4448; break;
    case 4448: if (__VERIFIER_nondet_int() <= 0) return 0; s = __VERIFIER_nondet_int() ? 4464 : 4480; break;
    case 4464: if (__VERIFIER_nondet_int() <= 0) return 0; s = 4480; break;
    case 4480: if (__VERIFIER_nondet_int() <= 0) return 0; s = __VERIFIER_nondet_int() == 2 ? 4496 : 4512; break;
    case 4496: if (__VERIFIER_nondet_int() <= 0) return 0; s = 4512; break;
    case 4512: if (__VERIFIER_nondet_int() <= 0) return 0; s = 4528; break;
    case 4528: if (__VERIFIER_nondet_int() <= 0) return 0; s = hit ? 3 : 4560; break;
    case 4560: if (__VERIFIER_nondet_int() <= 0) return 0; s = hit ? 4512 : 3; break;
    case 3: if (shutdown) return 0; shutdown = __VERIFIER_nondet_int() > 0; s = 12292; break;
    default: return -1;
    }
  }
  return 0;
}
