module whoop-corpus

go 1.26
