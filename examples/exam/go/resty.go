package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-resty/resty/v2"
)

// Resty; every request has a key. It reads Retry-After only with code of the program.
func openResty(isDocumented bool) client {
	options, lacks := "SetTimeout(2s)", []string{"retries", "reconnects", "keys"}
	if isDocumented {
		options += ", SetRetryCount(4), SetRetryWaitTime(200ms), AddRetryCondition(an error, 429 or 5xx), a context with a deadline of 15s"
		lacks = []string{"keys"}
	}
	return client{options, lacks, []string{"readPet", "addPet"},
		func(line line, method, path string, body []byte) (int, []byte, error) {
			http, ctx := resty.New().SetTimeout(timeout(line)).SetLogger(quiet{}), context.Background()
			if isDocumented {
				http.SetRetryCount(4).SetRetryWaitTime(200 * time.Millisecond)
				http.AddRetryCondition(func(response *resty.Response, err error) bool {
					return err != nil || response.StatusCode() == 429 || response.StatusCode() >= 500
				})
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, deadline)
				defer cancel()
			}
			request := http.R().SetContext(ctx).SetHeader("api_key", line.Key).SetHeader("content-type", "application/json")
			request.SetHeader("idempotency-key", fmt.Sprint(time.Now().UnixNano()))
			if body != nil {
				request.SetBody(body)
			}
			response, err := request.Execute(method, line.URL+path)
			if err != nil {
				return 0, nil, err
			}
			return response.StatusCode(), response.Body(), nil
		}}
}

type quiet struct{}

func (quiet) Errorf(string, ...any) {}
func (quiet) Warnf(string, ...any)  {}
func (quiet) Debugf(string, ...any) {}
