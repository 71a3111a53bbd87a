module ex/select_send_ok

go 1.26
