! SPDX-License-Identifier: BSD-3-Clause
! Uses the variables of MPI that a Fortran library knows by their addresses, and prints what comes of it.
program sentinels
#ifdef BINDING_F08
   use mpi_f08
#endif
#ifdef BINDING_MPI
   use mpi
#endif
   implicit none
#ifdef BINDING_MPIFH
   include 'mpif.h'
#endif
#ifdef BINDING_F08
   type(MPI_Request) :: requests(2)
   type(MPI_Datatype) :: absolute
#else
   integer :: requests(2), absolute
#endif
   integer :: rank, size, ierror, sums(2), got(2)
   integer, asynchronous :: placed
   integer(MPI_ADDRESS_KIND) :: address(1)

   call MPI_Init(ierror)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
   call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)

   sums = [rank + 1, 10]
   call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
   print '(a, 2i4, a, i2)', 'in place', sums, ' error', ierror

   call MPI_Isend(rank, 1, MPI_INTEGER, mod(rank + 1, size), 1, MPI_COMM_WORLD, requests(1), ierror)
   call MPI_Irecv(got(1), 1, MPI_INTEGER, mod(rank + size - 1, size), 1, MPI_COMM_WORLD, requests(2), ierror)
   call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
   call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, size), 2, got(2), 1, MPI_INTEGER, mod(rank + size - 1, size), 2, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
   print '(a, 2i4, a, i2)', 'from the left', got, ' error', ierror

   placed = 100 + rank
   call MPI_Get_address(placed, address(1), ierror)
   call MPI_Type_create_hindexed(1, [1], address, MPI_INTEGER, absolute, ierror)
   call MPI_Type_commit(absolute, ierror)
   call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, ierror)
   print '(a, i4, a, i2)', 'at its address', placed, ' error', ierror
   call MPI_Type_free(absolute, ierror)
   call MPI_Finalize(ierror)
end program
