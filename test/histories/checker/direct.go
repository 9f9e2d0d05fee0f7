package main

import "fmt"

const (
	second = int64(1_000_000)
	quota  = 60
	// What a crash may lose of the counts: the requests of the half second before it.
	lost = second / 2
)

// withinLimit says where more than the quota was certainly admitted in 60 seconds, apart from what crashes may have lost.
func withinLimit(calls, kills []Call) string {
	for _, from := range calls {
		count := 0
		for _, call := range calls {
			isInside := call.Status == 200 && call.Start >= from.Start && call.End <= from.Start+60*second
			if isInside && !forgotten(call, kills) {
				count++
			}
		}
		if count > quota {
			return fmt.Sprintf("%d requests were admitted in 60 seconds", count)
		}
	}
	return ""
}

func forgotten(call Call, kills []Call) bool {
	for _, kill := range kills {
		if call.End >= kill.Start-lost && call.Start <= kill.End {
			return true
		}
	}
	return false
}

// announced compares the events of pets with the changes that were acknowledged: each has one event, those whose outcome is unknown have
// one at most, nothing else has one, and no event is before that of a change that had ended earlier.
func announced(changes, events []Call) string {
	type change = struct {
		call  Call
		times int
		at    int
	}
	known := map[string]*change{}
	for _, call := range changes {
		if call.Do == "read" || call.Status != 200 && call.Status != 0 {
			continue
		}
		// Of several deletions of a pet one has an event, that which was acknowledged.
		name := call.Do + " " + call.Key + " " + call.Input.Name
		if known[name] == nil || call.Status == 200 {
			known[name] = &change{call: call}
		}
	}
	for at, event := range events {
		one, ok := known[event.Do+" "+event.Key+" "+event.Input.Name]
		if !ok {
			return fmt.Sprintf("%s: an event of no change: %s %s", event.Key, event.Do, event.Input.Name)
		}
		one.times++
		one.at = at
	}
	for _, one := range known {
		if one.times > 1 || one.times == 0 && one.call.Status == 200 {
			return fmt.Sprintf("%s: %s %s has %d events", one.call.Key, one.call.Do, one.call.Input.Name, one.times)
		}
		for _, other := range known {
			isEarlier := one.call.Status == 200 && other.call.Key == one.call.Key && one.call.End < other.call.Start
			if isEarlier && other.times == 1 && other.at < one.at {
				return fmt.Sprintf("%s: the event of %s is before that of %s", one.call.Key, other.call.Input.Name, one.call.Input.Name)
			}
		}
	}
	return ""
}

// delivered compares what arrived at an ordered webhook with the events: each arrives, with one id, nothing else does, and of a pet
// each one only after those before it were accepted.
func delivered(events, deliveries []Call) string {
	name := func(call Call) string { return call.Do + " " + call.Key + " " + call.Input.Name }
	before := map[string]string{}
	last := map[string]string{}
	for _, event := range events {
		before[name(event)] = last[event.Key]
		last[event.Key] = name(event)
	}
	ids := map[string]string{}
	accepted := map[string]bool{"": true}
	for _, delivery := range deliveries {
		own := name(delivery)
		earlier, isEvent := before[own]
		switch {
		case !isEvent:
			return fmt.Sprintf("%s: a delivery of no event: %s", delivery.Key, own)
		case !accepted[earlier]:
			return fmt.Sprintf("%s: %s arrived before %s was accepted", delivery.Key, own, earlier)
		case ids[own] != "" && ids[own] != delivery.Output.Etag:
			return fmt.Sprintf("%s: %s arrived with two ids", delivery.Key, own)
		}
		ids[own] = delivery.Output.Etag
		accepted[own] = accepted[own] || delivery.Status == 204
	}
	for _, event := range events {
		if !accepted[name(event)] {
			return fmt.Sprintf("%s: %s was not delivered", event.Key, name(event))
		}
	}
	return ""
}
