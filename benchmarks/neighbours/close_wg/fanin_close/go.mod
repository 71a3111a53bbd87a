module ex/fanin_close

go 1.26
