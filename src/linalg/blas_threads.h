/* blas_threads.h: how many threads a call into BLAS or LAPACK may use; for this folder only. */
#ifndef NY_BLAS_THREADS_H
#define NY_BLAS_THREADS_H

/* Before a call of that many flops in large blocks; 0 for one that works in small steps. Returns what end needs. */
int ny_blas_begin(double flops);
void ny_blas_end(int threads);

#endif
