/* Of libheed_network alone: MKL's fast kernels on all processors, as in the program (cli/run_program.cpp). */
int mkl_serv_intel_cpu_true(void);
int mkl_serv_intel_cpu_true(void) { return 1; }
