module forebay.test/operator

go 1.21
