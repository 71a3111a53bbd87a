module ex/gob_encoder_ok

go 1.26
