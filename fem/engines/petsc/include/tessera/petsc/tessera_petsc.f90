! SPDX-License-Identifier: BSD-3-Clause
! Tessera's adapter for PETSc in Fortran, by iso_c_binding. Objects of PETSc are given by their handles: dm%v, A%v. For
! a PetscInt of 32 bits. Compile it with your own sources.
module tessera_petsc
  use, intrinsic :: iso_c_binding
  implicit none

  ! The fields of tessera_petsc.h, in its order. Texts end in c_null_char.
  type, bind(c) :: tessera_petsc_options
    type(c_ptr) :: kind
    integer(c_int) :: points
    type(c_ptr) :: rule
    integer(c_int) :: matrix_free, in_float
    type(c_ptr) :: target, coefficients, coefficients_at_points
    integer(c_int) :: coefficient_count
  end type

  ! Functions of space are bind(c), with the arguments of tessera_petsc_function.
  interface
    type(tessera_petsc_options) function tessera_petsc_defaults(kind) bind(c)
      import :: tessera_petsc_options, c_ptr
      type(c_ptr), value :: kind
    end function

    integer(c_int) function tessera_petsc_set_field(dm, components, order) bind(c)
      import :: c_int, c_intptr_t
      integer(c_intptr_t), value :: dm
      integer(c_int), value :: components, order
    end function

    ! `A` is a matrix of MatCreate's.
    integer(c_int) function tessera_petsc_set_up_mat(dm, options, A) bind(c)
      import :: c_int, c_intptr_t, tessera_petsc_options
      integer(c_intptr_t), value :: dm, A
      type(tessera_petsc_options), intent(in) :: options
    end function

    integer(c_int) function tessera_petsc_load(A, f, context, b) bind(c)
      import :: c_int, c_intptr_t, c_funptr, c_ptr
      integer(c_intptr_t), value :: A, b
      type(c_funptr), value :: f
      type(c_ptr), value :: context
    end function

    integer(c_int) function tessera_petsc_subtract_boundary(A, local, b) bind(c)
      import :: c_int, c_intptr_t
      integer(c_intptr_t), value :: A, local, b
    end function

    integer(c_int) function tessera_petsc_l2_error(A, f, context, local, error) bind(c)
      import :: c_int, c_intptr_t, c_funptr, c_ptr, c_double
      integer(c_intptr_t), value :: A, local
      type(c_funptr), value :: f
      type(c_ptr), value :: context
      real(c_double), intent(out) :: error
    end function

    ! Of PETSc, for functions of space that are bind(c); its own Fortran interface has none of the two.
    integer(c_int) function petsc_add_boundary(dm, kind, name, label, count, values, field, components, list, f, &
                                               f_t, context, number) bind(c, name="DMAddBoundary")
      import :: c_int, c_intptr_t, c_funptr, c_ptr, c_char
      integer(c_intptr_t), value :: dm, label
      integer(c_int), value :: kind, count, field, components
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(in) :: values(*)
      type(c_ptr), value :: list, context, number
      type(c_funptr), value :: f, f_t
    end function

    integer(c_int) function petsc_insert_boundary_values(dm, essential, local, time, faces, cells, gradients) &
      bind(c, name="DMPlexInsertBoundaryValues")
      import :: c_int, c_intptr_t, c_double, c_ptr
      integer(c_intptr_t), value :: dm, local
      integer(c_int), value :: essential
      real(c_double), value :: time
      type(c_ptr), value :: faces, cells, gradients
    end function
  end interface

end module
