module ex/buffer_reader

go 1.26
