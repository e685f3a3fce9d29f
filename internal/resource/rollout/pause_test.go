package rollout_test

import "testing"

// TestPauseIsAValue: a pause for an approval is a value of the state, after an apply and an
// import alike, whether the configuration has it or leaves it out.
func TestPauseIsAValue(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	steps := func(pauses ...tree) tree {
		var all []any
		for i, pause := range pauses {
			step := tree{"replicas": []string{"1", "50%", "100%"}[i]}
			if pause != nil {
				step["pause"] = pause
			}
			all = append(all, step)
		}
		return tree{"canary": tree{"steps": all}}
	}
	timed := tree{"duration": int64(60)}
	written, leftOut := b.config(steps(tree{}, timed, tree{})), b.config(steps(nil, timed, nil))
	state, _ := b.ApplyAndVerify(t, leftOut, b.None())
	b.quiet(t)
	imported := b.Imported(t, domain+"/"+b.name)
	b.CheckNoDrift(t, written, state)
	b.CheckNoDrift(t, leftOut, state)
	b.CheckNoDrift(t, written, imported)
	b.CheckNoDrift(t, leftOut, imported)
}
