module ex/gzip_close

go 1.26
