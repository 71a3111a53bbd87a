module chain

go 1.22
