// Judges a history of requests: a line of JSON for each, on standard input. Prints a line of JSON for each kind of thing, and exits
// with 1 when one of them is impossible.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// Values are what a request sent, or what its response had.
type Values struct {
	Name    string `json:"name"`
	IfMatch string `json:"ifMatch"`
	Etag    string `json:"etag"`
	ID      int64  `json:"id"`
	Count   int    `json:"count"`
}

// Call is a request. Times are in microseconds; Status is 0 when the outcome is unknown.
type Call struct {
	Client int    `json:"client"`
	Kind   string `json:"kind"`
	Key    string `json:"key"`
	Do     string `json:"do"`
	Input  Values `json:"input"`
	Output Values `json:"output"`
	Status int    `json:"status"`
	Start  int64  `json:"start"`
	End    int64  `json:"end"`
}

// patience only ends a search that hangs.
const patience = 30 * time.Second

type verdict struct {
	Kind   string `json:"kind"`
	Calls  int    `json:"calls"`
	Things int    `json:"things"`
	Wrong  string `json:"wrong,omitempty"`
}

func main() {
	byKind := map[string][]Call{}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var call Call
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		byKind[call.Kind] = append(byKind[call.Kind], call)
	}
	code := 0
	judged := func(kind string, judge func(calls []Call) string) {
		verdict := verdict{Kind: kind, Calls: len(byKind[kind]), Things: len(byKey(byKind[kind]))}
		verdict.Wrong = judge(byKind[kind])
		if verdict.Wrong != "" {
			code = 1
		}
		json.NewEncoder(os.Stdout).Encode(verdict)
	}
	for _, kind := range []string{"pet", "batch", "order", "key", "burst", "import"} {
		judged(kind, func(calls []Call) string { return linearizable(models[kind], calls, byKind["kill"]) })
	}
	judged("limit", func(calls []Call) string { return withinLimit(calls, byKind["kill"]) })
	judged("event", func(events []Call) string { return announced(byKind["pet"], events) })
	judged("delivery", func(deliveries []Call) string { return delivered(byKind["event"], deliveries) })
	os.Exit(code)
}

// linearizable says which key has calls that no order of one after the other explains.
func linearizable(step func(state, call Call) []Call, calls, kills []Call) string {
	model := porcupine.NondeterministicModel{
		Init: func() []any { return []any{Call{}} },
		Step: func(state, input, _ any) []any {
			states := []any{}
			for _, next := range step(state.(Call), input.(Call)) {
				states = append(states, next)
			}
			return states
		},
	}
	for key, own := range byKey(calls) {
		operations := []porcupine.Operation{}
		for _, call := range own {
			// A read without a response says nothing.
			if call.Status == 0 && (call.Do == "read" || call.Do == "count") {
				continue
			}
			operations = append(operations, porcupine.Operation{ClientId: call.Client, Input: call, Call: call.Start, Return: latest(call, kills)})
		}
		switch porcupine.CheckOperationsTimeout(model.ToModel(), operations, patience) {
		case porcupine.Illegal:
			return fmt.Sprintf("%s: no order explains its %d calls", key, len(own))
		case porcupine.Unknown:
			return fmt.Sprintf("%s: undecided after %s", key, patience)
		}
	}
	return ""
}

// latest is when a call can have its effect at the latest: until its response, or until the process that had it is gone, or at any time,
// as when the network failed or something was paused.
func latest(call Call, kills []Call) int64 {
	if call.Status != 0 {
		return call.End
	}
	end := int64(math.MaxInt64)
	for _, kill := range kills {
		if kill.Start > call.End || call.Start > kill.End {
			continue
		}
		if kill.Do != "kill" {
			return math.MaxInt64
		}
		end = max(call.End, kill.End)
	}
	return end
}

func byKey(calls []Call) map[string][]Call {
	keys := map[string][]Call{}
	for _, call := range calls {
		keys[call.Key] = append(keys[call.Key], call)
	}
	for _, own := range keys {
		sort.SliceStable(own, func(a, b int) bool { return own[a].Start < own[b].Start })
	}
	return keys
}
