package main

// Each model says which states are possible after a call in a state: none when the call is impossible, two when its outcome is unknown.
// A state is a Call of which some values are used; an empty one is the start.
var models = map[string]func(state, call Call) []Call{"pet": pet, "batch": pet, "order": order, "key": key, "burst": key, "import": key}

// when is the next state of a call that is possible only under a condition.
func when(possible bool, next Call) []Call {
	if possible {
		return []Call{next}
	}
	return nil
}

// either is for a call whose outcome is unknown, and which has its effect under a condition.
func either(state Call, effective bool, next Call) []Call {
	if effective {
		return []Call{state, next}
	}
	return []Call{state}
}

// pet is a register, and so are the pets of a batch, which change at once: Do is "create" when it exists, Output its name and its ETag, which is empty when it is unknown.
func pet(state, call Call) []Call {
	exists, etag := state.Do == "create", state.Output.Etag
	matches := call.Input.IfMatch == "" || etag == "" || etag == call.Input.IfMatch
	written := Call{Do: "create", Output: Values{Name: call.Input.Name, Etag: call.Output.Etag}}
	switch {
	case call.Status == 404:
		return when(!exists, state)
	case call.Do == "create" && call.Status == 200:
		return when(!exists, written)
	case call.Do == "create" && call.Status == 409:
		return when(exists, state)
	case call.Do == "create":
		return either(state, !exists, written)
	case call.Do == "read" && call.Status == 200:
		same := exists && state.Output.Name == call.Output.Name && (etag == "" || etag == call.Output.Etag)
		return when(same, Call{Do: "create", Output: call.Output})
	case call.Do == "replace" && call.Status == 200:
		return when(exists && matches, written)
	case call.Do == "replace" && call.Status == 412:
		return when(exists && call.Input.IfMatch != "" && etag != call.Input.IfMatch, state)
	case call.Do == "replace":
		return either(state, exists && matches, written)
	case call.Do == "delete" && call.Status == 200:
		return when(exists, Call{})
	case call.Do == "delete":
		return either(state, exists, Call{})
	}
	return when(call.Status == 0, state)
}

const unknownID = -1

// order is the open order of a pet, of which there is at most one: Output.ID, unknownID when the response was lost.
func order(state, call Call) []Call {
	open := state.Output.ID
	with := func(id int64) Call { return Call{Output: Values{ID: id}} }
	isOpen := open == call.Input.ID || open == unknownID
	switch {
	case call.Do == "place" && call.Status == 200:
		return when(open == 0, with(call.Output.ID))
	case call.Do == "place" && call.Status == 409:
		return when(open != 0, state)
	case call.Do == "place":
		return either(state, open == 0, with(unknownID))
	case call.Do == "cancel" && call.Status == 200:
		return when(isOpen, with(0))
	case call.Do == "cancel" && call.Status == 404:
		return when(open != call.Input.ID, state)
	}
	return either(state, call.Status == 0 && isOpen, with(0))
}

// key is the name of a pet of which at most one is added: of an idempotency key, or of a create or an import that is sent once.
// Output.ID and Output.Etag, unknownID when no response had it yet.
func key(state, call Call) []Call {
	id, etag := state.Output.ID, state.Output.Etag
	with := func(id int64) Call { return Call{Output: Values{ID: id, Etag: call.Output.Etag}} }
	isOwn := call.Output.Name == "" || call.Output.Name == call.Key
	switch {
	case call.Do == "add" && call.Status == 200:
		return when(isOwn && (id <= 0 || id == call.Output.ID), with(call.Output.ID))
	case call.Do == "add" && call.Status == 0:
		return either(state, id == 0, with(unknownID))
	case call.Do == "read" && call.Status == 200:
		return when(isOwn && id == call.Input.ID && etag == call.Output.Etag, state)
	case call.Do == "delete" && call.Status == 200:
		return when(id == call.Input.ID, with(0))
	case call.Do == "delete" && call.Status == 404:
		return when(id != call.Input.ID, state)
	case call.Do == "delete" && call.Status == 0:
		return either(state, id == call.Input.ID, with(0))
	case call.Do == "count" || call.Do == "read":
		isOne := call.Output.Count == 1 && id != 0 && (id == unknownID || call.Output.ID == 0 || call.Output.ID == id)
		return when(isOne || call.Output.Count == 0 && id == 0, state)
	}
	// Refused: the first request with this key is still running, or the pet has an order.
	return []Call{state}
}
