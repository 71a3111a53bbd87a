module whoop

go 1.26.8
