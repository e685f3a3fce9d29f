package kuscia

import "testing"

// TestObservedState: a state that the parties contradict is not that of the serving.
func TestObservedState(t *testing.T) {
	t.Parallel()
	party := func(state string, available int32) PartyStatus {
		return PartyStatus{State: state, AvailableReplicas: available}
	}
	runs, some, none := party(StateAvailable, 1), party(StatePartialAvailable, 1), party(StateProgressing, 0)
	for name, test := range map[string]struct {
		state   string
		parties []PartyStatus
		want    string
	}{
		"all run":                      {StateAvailable, []PartyStatus{runs, runs}, StateAvailable},
		"one does not, and it stays":   {StateAvailable, []PartyStatus{runs, none}, StateProgressing},
		"none does":                    {StatePartialAvailable, []PartyStatus{none, none}, StateProgressing},
		"a part of one":                {StateAvailable, []PartyStatus{some, runs}, StatePartialAvailable},
		"without pods, and it is said": {StateAvailable, []PartyStatus{party(StateAvailable, 0)}, StateProgressing},
		"no party is known":            {StateAvailable, nil, StateAvailable},
		"failed":                       {StateFailed, []PartyStatus{runs}, StateFailed},
		"progressing":                  {StateProgressing, []PartyStatus{runs}, StateProgressing},
	} {
		if got := ObservedState(test.state, test.parties); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
