module ex/rand_ok

go 1.26
