module ex/embedded_ptr

go 1.26
