module ex/timer_reset

go 1.26
