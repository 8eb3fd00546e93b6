// SPDX-License-Identifier: BSD-3-Clause
// dgemm of the BLAS library that the program is linked with, and of cuBLAS.
#include "blas.hpp"

#include <dlfcn.h>

#include <tessera/error.hpp>

extern "C" {
// The lengths of the texts come last, as Fortran compilers pass them.
void dgemm_(const char* as_a, const char* as_b, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc, std::size_t, std::size_t);
}

namespace tessera::spin_chain {

namespace {

class linked_blas : public blas {
 public:
  void multiply(long long m, long long n, long long k, const blas_matrix& A, const blas_matrix& B, const blas_matrix& C,
                long long count) override {
    const int rows = int(m), columns = int(n), terms = int(k);
    const int lda = int(A.leading), ldb = int(B.leading), ldc = int(C.leading);
    const double alpha = 1, beta = 0;
    for (long long i = 0; i < count; ++i)
      dgemm_(&A.as, &B.as, &rows, &columns, &terms, &alpha, A.data + i * A.apart, &lda, B.data + i * B.apart, &ldb,
             &beta, C.data + i * C.apart, &ldc, 1, 1);
  }
  std::string name() const override { return "dgemm of the BLAS library"; }
};

// cuBLAS's C interface, version 2: an opaque handle, operations 0 (none) and 1 (transpose), status 0 for success.
class opened_cublas : public blas {
 public:
  opened_cublas() {
    for (const char* file :
         {"libcublas.so.13", "libcublas.so.12", "libcublas.so", "/usr/local/cuda/lib64/libcublas.so"})
      if (library_ == nullptr) library_ = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw error("cuBLAS: libcublas.so was not found: " + std::string(dlerror()));
    const auto create = reinterpret_cast<int (*)(void**)>(dlsym(library_, "cublasCreate_v2"));
    product_ = reinterpret_cast<product_function*>(dlsym(library_, "cublasDgemmStridedBatched"));
    if (create == nullptr || product_ == nullptr) throw error("cuBLAS: the library lacks a function");
    if (const int status = create(&handle_); status != 0)
      throw error("cuBLAS: cublasCreate returned status " + std::to_string(status));
  }

  void multiply(long long m, long long n, long long k, const blas_matrix& A, const blas_matrix& B, const blas_matrix& C,
                long long count) override {
    const double alpha = 1, beta = 0;
    const int status =
        product_(handle_, A.as == 'T', B.as == 'T', int(m), int(n), int(k), &alpha, A.data, int(A.leading), A.apart,
                 B.data, int(B.leading), B.apart, &beta, C.data, int(C.leading), C.apart, int(count));
    if (status != 0)
      throw error("cuBLAS: " + std::to_string(count) + " products of " + std::to_string(m) + " x " + std::to_string(k) +
                  " by " + std::to_string(k) + " x " + std::to_string(n) + ": status " + std::to_string(status));
  }
  std::string name() const override { return "cublasDgemmStridedBatched"; }

 private:
  using product_function = int(void*, int, int, int, int, int, const double*, const double*, int, long long,
                               const double*, int, long long, const double*, double*, int, long long, int);

  void* library_ = nullptr;  // stays open until the program ends
  void* handle_ = nullptr;
  product_function* product_ = nullptr;
};

}  // namespace

std::unique_ptr<blas> host_blas() { return std::make_unique<linked_blas>(); }
std::unique_ptr<blas> device_blas() { return std::make_unique<opened_cublas>(); }

}  // namespace tessera::spin_chain
