/* Points that a thread goes back to: what is the same when a subject is explored and when it is replayed.
 *
 * As setjmp, but for a signal mask, and only as long as the function that called it has not returned. `room` gives 8 words for registers.
 *
 * Invariant. Included by one file of each runtime. */
#define XC_POINT(point, room, jump) \
  __asm__(".text\n.globl " point "\n.type " point ",@function\n" point ":\n" \
          "  sub $8, %rsp\n  call " room "\n  add $8, %rsp\n" \
          "  mov %rbx, (%rax)\n  mov %rbp, 8(%rax)\n  mov %r12, 16(%rax)\n  mov %r13, 24(%rax)\n  mov %r14, 32(%rax)\n  mov %r15, 40(%rax)\n" \
          "  mov (%rsp), %rcx\n  mov %rcx, 48(%rax)\n  lea 8(%rsp), %rcx\n  mov %rcx, 56(%rax)\n  ret\n" \
          ".globl " jump "\n.type " jump ",@function\n" jump ":\n" \
          "  mov (%rdi), %rbx\n  mov 8(%rdi), %rbp\n  mov 16(%rdi), %r12\n  mov 24(%rdi), %r13\n  mov 32(%rdi), %r14\n  mov 40(%rdi), %r15\n" \
          "  mov 56(%rdi), %rsp\n  jmp *48(%rdi)\n")
