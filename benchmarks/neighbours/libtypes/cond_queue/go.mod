module ex/cond_queue

go 1.26
