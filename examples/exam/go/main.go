// Clients of Go: `adapter retryablehttp`, `adapter resty documented`, `adapter oauth2`.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"time"
)

type line struct {
	Do, URL, Key   string
	TimeoutSeconds int
	Input          struct {
		ID, Pet json.RawMessage
		IDs     []json.RawMessage
		Token   struct{ URL, ClientID, ClientSecret string }
	}
}

var clients = map[string]func(isDocumented bool) client{
	"retryablehttp": openRetryable, "resty": openResty, "oauth2": openOauth,
}

const deadline = 15 * time.Second

func timeout(line line) time.Duration { return time.Duration(line.TimeoutSeconds) * time.Second }

func main() {
	client := clients[os.Args[1]](len(os.Args) > 2)
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		line, said := line{}, map[string]any{}
		if err := json.Unmarshal(input.Bytes(), &line); err != nil {
			panic(err)
		}
		if line.Do != "describe" && !slices.Contains(client.actions, line.Do) {
			said["unclaimed"] = "the adapter has no " + line.Do
		} else if result, err := client.act(line); err != nil {
			said["error"] = err.Error()
		} else {
			said["result"] = result
		}
		json.NewEncoder(os.Stdout).Encode(said)
	}
}
