module ex/once_ok

go 1.26
