// Package petstoretest gives each test a sandbox of a Petstore, in a service that the first one starts.
package petstoretest

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Longer than an advance of the clock takes.
const timeout = 60 * time.Second

// Sandbox is a store with its own pets, keys, limits, clock, faults and recorded requests. Its methods fail the test when they are refused.
type Sandbox struct {
	Name, URL, APIURL, APIKey string
	t                         testing.TB
}

// Rule says which requests have which fault, such as fault=lose for {"operation": "addPet", "times": 1}.
type Rule struct {
	Match map[string]any `json:"match,omitempty"`
	Fault string         `json:"fault,omitempty"`
}

// Request is what the sandbox has recorded of a request; Call returns more of it.
type Request struct {
	ID                             int
	Method, Path, Operation, Fault string
	Status                         int
	Request                        struct {
		Headers map[string]string
		Body    string
	}
}

// Start returns a sandbox for this test, which is deleted after it.
func Start(t testing.TB) *Sandbox {
	t.Helper()
	service, err := serviceURL()
	if err != nil {
		t.Fatal(err)
	}
	name := "test-" + rand.Text()
	at := service + "/s/" + name
	s := &Sandbox{Name: name, URL: at, APIURL: at + "/api/v3", APIKey: "special-key", t: t}
	s.Reset("initial") // creates it
	t.Cleanup(func() { s.Call("DELETE", "/sandboxes/"+name, nil, nil) })
	return s
}

// Reset restores the state of the first start, or the data of another seed: classic, empty, shelter.
func (s *Sandbox) Reset(seed string) {
	s.t.Helper()
	s.Call("POST", "/sandbox/reset?seed="+url.QueryEscape(seed), nil, nil)
}

// Now returns the time of the sandbox.
func (s *Sandbox) Now() (now time.Time) {
	s.t.Helper()
	s.Call("GET", "/sandbox/clock", nil, &struct{ Time *time.Time }{&now})
	return now
}

// Advance moves the clock forward by whole seconds; what becomes due on the way is done.
func (s *Sandbox) Advance(by time.Duration) {
	s.t.Helper()
	s.Call("POST", "/sandbox/clock", map[string]string{"advance": fmt.Sprintf("PT%dS", int(by.Seconds()))}, nil)
}

// SetFaults replaces the fault rules by these.
func (s *Sandbox) SetFaults(rules ...Rule) {
	s.t.Helper()
	s.Call("PUT", "/sandbox/faults", map[string]any{"rules": append([]Rule{}, rules...)}, nil)
}

// Requests returns the recorded requests, oldest first; sought are filters such as operation, or nil.
func (s *Sandbox) Requests(sought map[string]string) (found []Request) {
	s.t.Helper()
	query := url.Values{"limit": {"1000"}}
	for name, value := range sought {
		query.Set(name, value)
	}
	s.Call("GET", "/sandbox/requests?"+query.Encode(), nil, &found)
	slices.Reverse(found)
	return found
}

// Verify fails the test unless the requests are as expected, such as {"match": {"operation": "addPet"}, "exactly": 1}.
func (s *Sandbox) Verify(expected map[string]any) {
	s.t.Helper()
	s.Call("POST", "/sandbox/requests/verify", expected, nil)
}

// Call calls any operation of the sandbox; body and result are values of JSON, or nil.
func (s *Sandbox) Call(method, path string, body, result any) {
	s.t.Helper()
	if err := s.send(method, path, body, result); err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
}

func (s *Sandbox) send(method, path string, body, result any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		sent = nil
	}
	request, err := http.NewRequest(method, s.APIURL+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("api_key", s.APIKey)
	request.Header.Set("content-type", "application/json")
	response, err := (&http.Client{Timeout: timeout}).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = errors.New(string(text))
	}
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal(text, result)
}

// The address of the service: that of the variable PETSTORE_URL, or of one that runs as long as this process.
var serviceURL = sync.OnceValues(func() (string, error) {
	if at := os.Getenv("PETSTORE_URL"); at != "" {
		return strings.TrimSuffix(at, "/"), nil
	}
	program, err := findCommand()
	if err != nil {
		return "", err
	}
	command := exec.Command(program, "serve", "--ephemeral", "--port", "0", "--print-url")
	command.Env = append([]string{"PETSTORE_LOG_LEVEL=error"}, os.Environ()...)
	command.Stderr = os.Stderr
	// The service ends when its standard input is closed, which the system does when this process ends.
	if lifeline, err = command.StdinPipe(); err != nil {
		return "", err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := command.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%s did not start; its messages are above", command)
	}
	return strings.TrimSpace(line), nil
})

// Kept, because a pipe that nothing refers to is closed.
var lifeline io.WriteCloser

// The command petstore: of npm in this directory or one above, otherwise the one in the PATH.
func findCommand() (string, error) {
	directory, err := os.Getwd()
	for above := ""; err == nil && directory != above; above, directory = directory, filepath.Dir(directory) {
		program := filepath.Join(directory, "node_modules", ".bin", "petstore")
		if _, missing := os.Stat(program); missing == nil {
			return program, nil
		}
	}
	return exec.LookPath("petstore")
}
