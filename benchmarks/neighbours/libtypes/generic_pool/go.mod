module ex/generic_pool

go 1.26
