package kuscia

// ObservedState is the state of a serving as its parties have it. Before v0.15 Kuscia keeps the
// last state while no party has an available pod: a serving stays Available although nothing
// runs. Failed is Kuscia's own, and a state that the parties do not contradict stays.
func ObservedState(state string, parties []PartyStatus) string {
	if state != StateAvailable && state != StatePartialAvailable {
		return state
	}
	for i := range parties {
		switch parties[i].observedState() {
		case StatePartialAvailable:
			state = StatePartialAvailable
		case StateProgressing:
			return StateProgressing
		}
	}
	return state
}

// observedState is the state of a party as its pods have it: old versions report a party
// without pods as Available.
func (p *PartyStatus) observedState() string {
	if p.AvailableReplicas == 0 && (p.State == StateAvailable || p.State == StatePartialAvailable) {
		return StateProgressing
	}
	return p.State
}
