module ex/timer_ok

go 1.26
