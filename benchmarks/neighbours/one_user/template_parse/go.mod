module ex/template_parse

go 1.26
