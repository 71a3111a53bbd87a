module ex/atomic_ptr_ok

go 1.26
