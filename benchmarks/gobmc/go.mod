module example.com/bmc

go 1.25
