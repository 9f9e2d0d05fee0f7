// Clients of Go: `adapter retryablehttp`, `adapter resty documented`, `adapter oauth2`.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"sync"
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

type client struct {
	options string
	lacks   []string
	actions []string
	send    func(line line, method, path string, body []byte) (status int, content []byte, err error)
}

var clients = map[string]func(isDocumented bool) client{
	"retryablehttp": openRetryable, "resty": openResty, "oauth2": openOauth,
}

const deadline = 15 * time.Second

func timeout(line line) time.Duration { return time.Duration(line.TimeoutSeconds) * time.Second }

func (client client) pet(line line, method, path string, body []byte) (pet any, err error) {
	status, content, err := client.send(line, method, path, body)
	if err != nil {
		return nil, err
	}
	if status != 200 {
		return nil, fmt.Errorf("status %d", status)
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	err = decoder.Decode(&pet)
	return pet, err
}

func (client client) pets(line line) ([]any, error) {
	pets, errs := make([]any, len(line.Input.IDs)), make([]error, len(line.Input.IDs))
	var reads sync.WaitGroup
	for n, id := range line.Input.IDs {
		reads.Go(func() { pets[n], errs[n] = client.pet(line, "GET", "/pet/"+string(id), nil) })
	}
	reads.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return pets, nil
}

func (client client) act(line line) (result any, err error) {
	switch line.Do {
	case "readPet":
		return client.pet(line, "GET", "/pet/"+string(line.Input.ID), nil)
	case "addPet":
		return client.pet(line, "POST", "/pet", line.Input.Pet)
	case "readPets":
		return client.pets(line)
	}
	return map[string]any{"options": client.options, "lacks": client.lacks}, nil
}

func (client client) does(action string) bool {
	for _, each := range append(client.actions, "describe") {
		if each == action {
			return true
		}
	}
	return false
}

func main() {
	client := clients[os.Args[1]](len(os.Args) > 2)
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		line, said := line{}, map[string]any{}
		if err := json.Unmarshal(input.Bytes(), &line); err != nil {
			panic(err)
		}
		if !client.does(line.Do) {
			said["unclaimed"] = "the adapter has no " + line.Do
		} else if result, err := client.act(line); err != nil {
			said["error"] = err.Error()
		} else {
			said["result"] = result
		}
		json.NewEncoder(os.Stdout).Encode(said)
	}
}
