module ex/close_close_lib

go 1.26
