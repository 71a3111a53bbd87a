module ex/chan_lock_ok

go 1.26
