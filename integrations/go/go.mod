module typedid

go 1.19
