module ex/rand_shared

go 1.26
