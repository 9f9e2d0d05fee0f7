// go-retryablehttp of HashiCorp, with its own backoff.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

type line struct {
	Do, URL, Key   string
	TimeoutSeconds int
	Input          map[string]json.RawMessage
}

func send(line line, method, path string, body []byte) (pet any, err error) {
	client := retryablehttp.NewClient()
	client.Logger, client.RetryWaitMin = nil, 200*time.Millisecond
	client.HTTPClient.Timeout = time.Duration(line.TimeoutSeconds) * time.Second
	request, _ := retryablehttp.NewRequest(method, line.URL+path, bytes.NewReader(body))
	key := fmt.Sprint(time.Now().UnixNano())
	request.Header = http.Header{"Api_key": {line.Key}, "Content-Type": {"application/json"}, "Idempotency-Key": {key}}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s", response.Status)
	}
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	return pet, decoder.Decode(&pet)
}

func main() {
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		line, said := line{}, map[string]any{}
		err := json.Unmarshal(input.Bytes(), &line)
		switch line.Do {
		case "readPet":
			said["result"], err = send(line, "GET", "/pet/"+string(line.Input["id"]), nil)
		case "addPet":
			said["result"], err = send(line, "POST", "/pet", line.Input["pet"])
		default:
			said["unclaimed"] = "the adapter has no " + line.Do
		}
		if err != nil {
			said["error"] = err.Error()
		}
		json.NewEncoder(os.Stdout).Encode(said)
	}
}
