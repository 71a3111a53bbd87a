module ex/close_once_ok

go 1.26
