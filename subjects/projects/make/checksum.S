# unsigned checksum(const char *text): the sum of its bytes
        .globl checksum
        .type checksum, @function
checksum:
        xorl %eax, %eax
1:      movzbl (%rdi), %ecx
        testl %ecx, %ecx
        je 2f
        addl %ecx, %eax
        incq %rdi
        jmp 1b
2:      ret
        .section .note.GNU-stack,"",@progbits
