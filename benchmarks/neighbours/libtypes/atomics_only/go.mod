module ex/atomics_only

go 1.26
