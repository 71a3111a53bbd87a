module ex/bufio_two

go 1.26
