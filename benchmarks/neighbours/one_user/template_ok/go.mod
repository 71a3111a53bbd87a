module ex/template_ok

go 1.26
