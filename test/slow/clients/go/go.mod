module petstore.example/client

go 1.18

require (
	golang.org/x/oauth2 v0.20.0
	gopkg.in/validator.v2 v2.0.1
)
