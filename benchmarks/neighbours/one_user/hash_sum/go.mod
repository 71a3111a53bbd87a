module ex/hash_sum

go 1.26
