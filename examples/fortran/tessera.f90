! SPDX-License-Identifier: BSD-3-Clause
! Tessera's C API for Fortran: the operand, the codes, and the functions, by iso_c_binding.
module tessera
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: tessera_ok = 0
  integer(c_int), parameter :: tessera_f32 = 0, tessera_f64 = 1, tessera_c32 = 2, tessera_c64 = 3
  integer(c_int), parameter :: tessera_f16 = 4, tessera_bf16 = 5, tessera_i16 = 6, tessera_i32 = 7, tessera_i64 = 8
  integer(c_int), parameter :: tessera_cpu = 0, tessera_gpu = 1
  integer(c_int), parameter :: tessera_by_size = 0, tessera_cache = 1, tessera_stream = 2
  integer(c_int), parameter :: tessera_exact = 0, tessera_tf32 = 1, tessera_tf32x3 = 2
  integer, parameter :: tessera_max_rank = 12

  ! The fields of tessera.h, in its order.
  type, bind(c) :: tessera_operand
    integer(c_int) :: type
    integer(c_int) :: space
    type(c_ptr) :: data
    integer(c_int) :: rank
    integer(c_int64_t) :: extent(tessera_max_rank)
    integer(c_int64_t) :: stride(tessera_max_rank)
    integer(c_int) :: batched
    integer(c_int64_t) :: count
    integer(c_int64_t) :: batch_stride
    integer(c_int64_t) :: lanes
    type(c_ptr) :: members = c_null_ptr  ! of a group: the array of its tensors' addresses
    integer(c_int) :: conjugated = 0  ! 1: complex entries are read conjugated
  end type

  ! Start from tessera_plan_options().
  type, bind(c) :: tessera_plan_options
    type(c_ptr) :: target = c_null_ptr
    integer(c_int) :: threads = 0
    integer(c_int) :: regime = tessera_by_size
    integer(c_int) :: no_compile = 0
    integer(c_int) :: no_wait = 0
    integer(c_int) :: precision = tessera_exact  ! of products of f32 on a GPU
    integer(c_int) :: no_workspace = 0
  end type

  interface
    ! count < 0: one tensor, shared by the whole batch.
    type(tessera_operand) function tessera_packed(type, space, data, rank, extent, count) bind(c)
      import :: tessera_operand, c_int, c_ptr, c_int64_t
      integer(c_int), value :: type, space, rank
      type(c_ptr), value :: data
      integer(c_int64_t), intent(in) :: extent(*)
      integer(c_int64_t), value :: count
    end function

    ! einsum and target end in c_null_char; target = c_null_ptr is the default one.
    integer(c_int) function tessera_plan_create(plan, einsum, alpha, beta, operands, operand_count, target, &
                                                threads) bind(c)
      import :: tessera_operand, c_int, c_ptr, c_double, c_char
      type(c_ptr), intent(out) :: plan
      character(kind=c_char), intent(in) :: einsum(*)
      real(c_double), value :: alpha, beta
      type(tessera_operand), intent(in) :: operands(*)
      integer(c_int), value :: operand_count, threads
      type(c_ptr), value :: target
    end function

    integer(c_int) function tessera_plan_run(plan, operands, operand_count, stream) bind(c)
      import :: tessera_operand, c_int, c_ptr
      type(c_ptr), value :: plan, stream
      type(tessera_operand), intent(in) :: operands(*)
      integer(c_int), value :: operand_count
    end function

    ! scaling: c_null_ptr for alpha = 1, beta = 0, or the c_loc of the fields of tessera_scaling.
    integer(c_int) function tessera_plan_create_with(plan, einsum, scaling, operands, operand_count, &
                                                     options) bind(c)
      import :: tessera_operand, tessera_plan_options, c_int, c_ptr, c_char
      type(c_ptr), intent(out) :: plan
      character(kind=c_char), intent(in) :: einsum(*)
      type(c_ptr), value :: scaling
      type(tessera_operand), intent(in) :: operands(*)
      integer(c_int), value :: operand_count
      type(tessera_plan_options), intent(in) :: options
    end function

    ! For a parallel loop of the caller's over parts of the batch: entries first (from 0) to first + count - 1.
    integer(c_int) function tessera_plan_bind(bound, plan, operands, operand_count) bind(c)
      import :: tessera_operand, c_int, c_ptr
      type(c_ptr), intent(out) :: bound
      type(c_ptr), value :: plan
      type(tessera_operand), intent(in) :: operands(*)
      integer(c_int), value :: operand_count
    end function

    integer(c_int) function tessera_bound_plan_run(bound, first, count) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: bound
      integer(c_int64_t), value :: first, count
    end function

    subroutine tessera_bound_plan_destroy(bound) bind(c)
      import :: c_ptr
      type(c_ptr), value :: bound
    end subroutine

    subroutine tessera_plan_destroy(plan) bind(c)
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine

    ! 0 while a kernel for it is compiled in a thread of the library, else 1.
    integer(c_int) function tessera_plan_is_ready(plan) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
    end function

    type(c_ptr) function tessera_plan_describe_c(plan) bind(c, name="tessera_plan_describe")
      import :: c_ptr
      type(c_ptr), value :: plan
    end function

    type(c_ptr) function tessera_last_error_c() bind(c, name="tessera_last_error")
      import :: c_ptr
    end function
  end interface

contains

  ! A C string as Fortran text; a null pointer as the empty one.
  function text_of(c_text) result(text)
    type(c_ptr), intent(in) :: c_text
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i, length

    length = 0
    if (c_associated(c_text)) then
      call c_f_pointer(c_text, letters, [huge(length)])
      do while (letters(length + 1) /= c_null_char)
        length = length + 1
      end do
    end if
    allocate (character(length) :: text)
    do i = 1, length
      text(i:i) = letters(i)
    end do
  end function

  function tessera_plan_describe(plan) result(text)
    type(c_ptr), intent(in) :: plan
    character(:), allocatable :: text
    text = text_of(tessera_plan_describe_c(plan))
  end function

  function tessera_last_error() result(text)
    character(:), allocatable :: text
    text = text_of(tessera_last_error_c())
  end function

end module
