package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
)

type client struct {
	options string
	lacks   []string
	actions []string
	send    func(line line, method, path string, body []byte) (status int, content []byte, err error)
}

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
