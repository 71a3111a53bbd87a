module ex/keyed_locks

go 1.26
