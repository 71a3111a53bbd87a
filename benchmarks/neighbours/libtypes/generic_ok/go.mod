module ex/generic_ok

go 1.26
