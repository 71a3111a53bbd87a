module ex/atomic_value

go 1.26
