package main

import (
	"context"
	"io"
	"net/http"
	"sync"

	"golang.org/x/oauth2/clientcredentials"
)

// The client of golang.org/x/oauth2 for the grant of client credentials.
func openOauth(bool) client {
	var opening sync.Once
	var authorized *http.Client
	return client{"clientcredentials.Config", []string{}, []string{"readPets"},
		func(line line, method, path string, _ []byte) (int, []byte, error) {
			opening.Do(func() {
				token := line.Input.Token
				config := clientcredentials.Config{ClientID: token.ClientID, ClientSecret: token.ClientSecret, TokenURL: token.URL}
				authorized = config.Client(context.Background())
				authorized.Timeout = timeout(line)
			})
			response, err := authorized.Get(line.URL + path)
			if err != nil {
				return 0, nil, err
			}
			defer response.Body.Close()
			content, err := io.ReadAll(response.Body)
			return response.StatusCode, content, err
		}}
}
