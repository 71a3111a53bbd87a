module ex/csv_writer

go 1.26
