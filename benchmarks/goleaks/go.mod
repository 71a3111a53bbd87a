module goleaks

go 1.26
