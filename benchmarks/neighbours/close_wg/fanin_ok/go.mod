module ex/fanin_ok

go 1.26
