module ex/resp_ok

go 1.26
