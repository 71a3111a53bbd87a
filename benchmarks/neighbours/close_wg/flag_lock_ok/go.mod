module ex/flag_lock_ok

go 1.26
