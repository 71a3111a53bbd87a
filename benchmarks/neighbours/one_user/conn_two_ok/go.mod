module ex/conn_two_ok

go 1.26
