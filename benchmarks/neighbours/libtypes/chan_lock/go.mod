module ex/chan_lock

go 1.26
