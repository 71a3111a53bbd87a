module ex/wg_server

go 1.26
