module ex/file_and_log_ok

go 1.26
