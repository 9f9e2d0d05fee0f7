module petstore.example/petstoretest

go 1.24
