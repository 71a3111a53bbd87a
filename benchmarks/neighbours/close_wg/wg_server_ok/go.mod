module ex/wg_server_ok

go 1.26
