module twophase

go 1.22
