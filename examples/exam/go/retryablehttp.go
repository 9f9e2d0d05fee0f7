package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// go-retryablehttp of HashiCorp; every request has a key.
func openRetryable(isDocumented bool) client {
	options := "HTTPClient.Timeout: 2s"
	if isDocumented {
		options += ", RateLimitLinearJitterBackoff from 200ms to 400ms, a context with a deadline of 15s"
	}
	return client{options, []string{"keys"}, []string{"readPet", "addPet"},
		func(line line, method, path string, body []byte) (int, []byte, error) {
			http, ctx := retryablehttp.NewClient(), context.Background()
			http.Logger, http.HTTPClient.Timeout = nil, timeout(line)
			if isDocumented {
				http.Backoff = retryablehttp.RateLimitLinearJitterBackoff
				http.RetryWaitMin, http.RetryWaitMax = 200*time.Millisecond, 400*time.Millisecond
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, deadline)
				defer cancel()
			}
			request, err := retryablehttp.NewRequestWithContext(ctx, method, line.URL+path, body)
			if err != nil {
				return 0, nil, err
			}
			request.Header.Set("api_key", line.Key)
			request.Header.Set("content-type", "application/json")
			request.Header.Set("idempotency-key", fmt.Sprint(time.Now().UnixNano()))
			response, err := http.Do(request)
			if err != nil {
				return 0, nil, err
			}
			defer response.Body.Close()
			content, err := io.ReadAll(response.Body)
			return response.StatusCode, content, err
		}}
}
