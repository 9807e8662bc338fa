/* simd.h: one function body, compiled for several instruction sets; the loader picks the best for the machine. */
#ifndef NY_SIMD_H
#define NY_SIMD_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(NY_NO_CLONES)
#define NY_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define NY_CLONES
#endif

#endif
