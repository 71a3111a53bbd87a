module ex/timer_close

go 1.26
