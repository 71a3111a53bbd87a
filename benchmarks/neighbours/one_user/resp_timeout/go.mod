module ex/resp_timeout

go 1.26
