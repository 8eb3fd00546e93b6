! SPDX-License-Identifier: BSD-3-Clause
! Interpolates along the first axis of many elements, "kj,jbc->kbc", from Fortran arrays, and checks it with matmul.
program interpolate
  use tessera
  implicit none

  integer, parameter :: q = 5, d = 4, b = 3, c = 2
  integer(c_int64_t), parameter :: elements = 101
  ! snippet call
  real(c_double), target :: table(q, d), x(d, b, c, elements), y(q, b, c, elements)
  type(tessera_operand) :: operands(3)
  type(c_ptr) :: plan
  integer(c_int) :: status

  call random_number(table)
  call random_number(x)
  operands(1) = tessera_packed(tessera_f64, tessera_cpu, c_loc(table), 2, int([q, d], c_int64_t), -1_c_int64_t)
  operands(2) = tessera_packed(tessera_f64, tessera_cpu, c_loc(x), 3, int([d, b, c], c_int64_t), elements)
  operands(3) = tessera_packed(tessera_f64, tessera_cpu, c_loc(y), 3, int([q, b, c], c_int64_t), elements)

  status = tessera_plan_create(plan, "kj,jbc->kbc" // c_null_char, 1d0, 0d0, operands, 3, c_null_ptr, 0)
  if (status == tessera_ok) status = tessera_plan_run(plan, operands, 3, c_null_ptr)
  if (status /= tessera_ok) then
    print *, tessera_last_error()
    stop 1
  end if
  print *, tessera_plan_describe(plan)
  call tessera_plan_destroy(plan)
  ! end snippet

  call check_numbers()
  call run_in_parts()
  call check_numbers()
  call check_refusal()

contains

  ! The same by matmul, slice by slice; the bound is that of sums of d products.
  subroutine check_numbers()
    real(c_double) :: wanted(q), bound(q)
    integer :: ib, ic
    integer(c_int64_t) :: e

    do e = 1, elements
      do ic = 1, c
        do ib = 1, b
          wanted = matmul(table, x(:, ib, ic, e))
          bound = 2 * (d + 2) * epsilon(1.0_c_double) * matmul(abs(table), abs(x(:, ib, ic, e)))
          if (any(abs(y(:, ib, ic, e) - wanted) > bound)) then
            print *, "wrong numbers in element", e
            stop 2
          end if
        end do
      end do
    end do
    print *, "all numbers agree with matmul"
  end subroutine

  ! The same by a plan with options, in parts of the batch.
  subroutine run_in_parts()
    type(tessera_plan_options) :: options
    type(c_ptr) :: parts
    integer(c_int64_t) :: first

    options%regime = tessera_stream
    y = 0
    status = tessera_plan_create_with(plan, "kj,jbc->kbc" // c_null_char, c_null_ptr, operands, 3, options)
    if (status == tessera_ok) status = tessera_plan_bind(parts, plan, operands, 3)
    do first = 0, elements - 1, 10
      if (status == tessera_ok) status = tessera_bound_plan_run(parts, first, min(10_c_int64_t, elements - first))
    end do
    if (status /= tessera_ok .or. index(tessera_plan_describe(plan), "stream: forced") == 0) then
      print *, tessera_last_error()
      stop 4
    end if
    call tessera_bound_plan_destroy(parts)
    call tessera_plan_destroy(plan)
  end subroutine

  ! Options and sizes that do not fit come back as a code and a text that names them.
  subroutine check_refusal()
    type(tessera_plan_options) :: options

    options%precision = tessera_tf32x3 + 1
    status = tessera_plan_create_with(plan, "kj,jbc->kbc" // c_null_char, c_null_ptr, operands, 3, options)
    if (status == tessera_ok .or. index(tessera_last_error(), "unknown precision 3") == 0) then
      print *, "a wrong precision was not refused: ", tessera_last_error()
      stop 5
    end if

    operands(2)%extent(1) = d + 1
    status = tessera_plan_create(plan, "kj,jbc->kbc" // c_null_char, 1d0, 0d0, operands, 3, c_null_ptr, 0)
    if (status == tessera_ok .or. index(tessera_last_error(), "5x4, 5x3x2 -> 5x3x2") == 0) then
      print *, "a mismatch was not refused: ", tessera_last_error()
      stop 3
    end if
  end subroutine

end program
