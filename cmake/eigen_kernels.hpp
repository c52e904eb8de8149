// What of Eigen's dense algebra every other file would compile for itself, compiled once in eigen_kernels.cpp: kernels of products and
// triangular solutions, decompositions. A file that does not see this header (TRUNNION_PCH=OFF) compiles its own, as ever.
#pragma once

#include <complex>

#include <Eigen/Dense>

#ifndef TRUNNION_KERNEL
#define TRUNNION_KERNEL extern template
#endif

namespace Eigen {

namespace internal {

template <typename Scalar> using KernelTraits = gebp_traits<Scalar, Scalar>;

// Products of matrices.
template <typename Scalar> using Result = blas_data_mapper<Scalar, Index, ColMajor, Unaligned, 1>;
TRUNNION_KERNEL struct gebp_kernel<double, double, Index, Result<double>, KernelTraits<double>::mr,
                                   KernelTraits<double>::nr, false, false>;
TRUNNION_KERNEL struct gebp_kernel<std::complex<double>, std::complex<double>, Index,
                                   Result<std::complex<double>>, KernelTraits<std::complex<double>>::mr,
                                   KernelTraits<std::complex<double>>::nr, false, false>;

// Products with vectors.
template <typename Scalar> using ByColumns = const_blas_data_mapper<Scalar, Index, ColMajor>;
template <typename Scalar> using ByRows = const_blas_data_mapper<Scalar, Index, RowMajor>;
TRUNNION_KERNEL struct general_matrix_vector_product<Index, double, ByColumns<double>, ColMajor, false,
                                                     double, ByColumns<double>, false, 0>;
TRUNNION_KERNEL struct general_matrix_vector_product<Index, double, ByColumns<double>, ColMajor, false,
                                                     double, ByRows<double>, false, 0>;
TRUNNION_KERNEL struct general_matrix_vector_product<Index, double, ByRows<double>, RowMajor, false, double,
                                                     ByColumns<double>, false, 0>;
TRUNNION_KERNEL struct general_matrix_vector_product<Index, double, ByRows<double>, RowMajor, false, double,
                                                     ByRows<double>, false, 1>;
TRUNNION_KERNEL struct selfadjoint_matrix_vector_product<double, Index, ColMajor, Lower, false, false, 0>;
TRUNNION_KERNEL struct triangular_matrix_vector_product<Index, UnitUpper, double, false, double, false,
                                                        RowMajor, 0>;

// Triangular matrices.
TRUNNION_KERNEL struct triangular_solve_matrix<double, Index, OnTheLeft, Lower, false, ColMajor, ColMajor, 1>;
TRUNNION_KERNEL struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, ColMajor, ColMajor, 1>;
TRUNNION_KERNEL struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, RowMajor, ColMajor, 1>;
TRUNNION_KERNEL struct triangular_solve_matrix<double, Index, OnTheLeft, UnitLower, false, ColMajor, ColMajor,
                                               1>;
TRUNNION_KERNEL struct triangular_solve_matrix<double, Index, OnTheRight, Upper, false, RowMajor, ColMajor,
                                               1>;
TRUNNION_KERNEL struct product_triangular_matrix_matrix<double, Index, Upper, true, ColMajor, false, ColMajor,
                                                        false, ColMajor, 1, 0>;
TRUNNION_KERNEL struct product_triangular_matrix_matrix<double, Index, Upper, true, RowMajor, false, ColMajor,
                                                        false, ColMajor, 1, 0>;
TRUNNION_KERNEL struct product_triangular_matrix_matrix<double, Index, UnitUpper, true, RowMajor, false,
                                                        ColMajor, false, ColMajor, 1, 0>;
TRUNNION_KERNEL struct product_triangular_matrix_matrix<double, Index, Lower, true, ColMajor, false, ColMajor,
                                                        false, ColMajor, 1, 0>;
TRUNNION_KERNEL struct product_triangular_matrix_matrix<double, Index, UnitLower, true, ColMajor, false,
                                                        ColMajor, false, ColMajor, 1, 0>;

TRUNNION_KERNEL void tridiagonalization_inplace(MatrixXd&, VectorXd&);
TRUNNION_KERNEL ComputationInfo computeFromTridiagonal_impl(VectorXd&, VectorXd&, const Index, bool,
                                                            MatrixXd&);

}  // namespace internal

// Decompositions of real matrices …
TRUNNION_KERNEL class FullPivLU<MatrixXd>;
TRUNNION_KERNEL void FullPivLU<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
TRUNNION_KERNEL void FullPivLU<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
TRUNNION_KERNEL class PartialPivLU<MatrixXd>;
TRUNNION_KERNEL class HouseholderQR<MatrixXd>;
TRUNNION_KERNEL class ColPivHouseholderQR<MatrixXd>;
TRUNNION_KERNEL void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
TRUNNION_KERNEL void ColPivHouseholderQR<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
TRUNNION_KERNEL class CompleteOrthogonalDecomposition<MatrixXd>;
TRUNNION_KERNEL void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
TRUNNION_KERNEL void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
TRUNNION_KERNEL class LLT<MatrixXd>;
TRUNNION_KERNEL LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
TRUNNION_KERNEL class JacobiSVD<MatrixXd>;
TRUNNION_KERNEL class SelfAdjointEigenSolver<MatrixXd>;
TRUNNION_KERNEL SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(
    const EigenBase<MatrixXd>&, int);
TRUNNION_KERNEL class HessenbergDecomposition<MatrixXd>;
TRUNNION_KERNEL class RealSchur<MatrixXd>;
TRUNNION_KERNEL RealSchur<MatrixXd>& RealSchur<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);
TRUNNION_KERNEL class EigenSolver<MatrixXd>;
TRUNNION_KERNEL EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);

// … and of complex ones.
TRUNNION_KERNEL class FullPivLU<MatrixXcd>;
TRUNNION_KERNEL void FullPivLU<MatrixXcd>::_solve_impl(const VectorXcd&, VectorXcd&) const;
TRUNNION_KERNEL void FullPivLU<MatrixXcd>::_solve_impl(const MatrixXcd&, MatrixXcd&) const;
TRUNNION_KERNEL class PartialPivLU<MatrixXcd>;
TRUNNION_KERNEL class HessenbergDecomposition<MatrixXcd>;
TRUNNION_KERNEL class ComplexSchur<MatrixXcd>;
TRUNNION_KERNEL class ComplexEigenSolver<MatrixXcd>;
TRUNNION_KERNEL ComplexEigenSolver<MatrixXcd>& ComplexEigenSolver<MatrixXcd>::compute(
    const EigenBase<MatrixXcd>&, bool);

}  // namespace Eigen
