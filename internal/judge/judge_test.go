package judge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

var reasonNames = map[string]Reason{
	"no status": NoStatus, "failed": FailedPhase, "stale failed": StaleFailed, "twice": Twice, "missing": Missing, "foreign": Foreign,
	"spec differs": SpecDiffers, "paused": PodsPaused, "not observed": NotObserved, "deadline": DeadlineExceeded, "outdated": PodsOutdated,
	"pod count": PodCountDiffers, "unavailable": PodsUnavailable, "unended": Unended, "phase differs": PhaseDiffers, "old": OldWorkload,
	"not confirmed": NotConfirmed, "unproven": Unproven, "start not observed": StartNotObserved, "maybe stale": MaybeStale,
}

// describe is a verdict in the words of testdata/cases.txt.
func describe(v Verdict) string {
	text := map[Standing]string{UnderWay: "under way", Runs: "runs", RunsUnseen: "runs unseen", Stands: "stands"}[v.Is]
	for name, reason := range reasonNames {
		if reason == v.Reason {
			text += ": " + name
		}
	}
	return strings.TrimSpace(text + " " + v.Of)
}

// words splits a column at commas.
func words(column string) (items [][]string) {
	for item := range strings.SplitSeq(column, ",") {
		items = append(items, strings.Fields(item))
	}
	return items
}

func numberOf(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func targetOf(t *testing.T, column, before string) (target Target) {
	t.Helper()
	for _, item := range words(column) {
		if !strings.ContainsAny(item[len(item)-1]+item[min(1, len(item)-1)], "0123456789") {
			target.Updated, target.NeedsProof = slices.Contains(item, "update"), slices.Contains(item, "proof")
			continue
		}
		w := Desired{Name: item[0], Pods: numberOf(t, item[1])}
		for _, how := range item[2:] {
			switch how {
			case "rolling":
				w.Replacement = RollingReplacement
			case "recreate":
				w.Replacement = RecreateAll
			case "unchanged":
				w.Unchanged = true
			default:
				t.Fatalf("what is %q?", how)
			}
		}
		target.Workloads = append(target.Workloads, w)
	}
	if before != "?" {
		state := stateOf(t, before)
		target.Before = &state
	}
	return target
}

func stateOf(t *testing.T, column string) State {
	t.Helper()
	items := words(column)
	state := State{Reported: true, Text: strings.Join(items[0][1:], " "), Proofs: map[string]Proof{}}
	switch items[0][0] {
	case "nothing":
		state.Reported = false
	case "Available":
		state.Phase = Available
	case "Failed":
		state.Phase = Failed
	case "Other":
		state.Phase = OtherPhase
	case "Deployment", "instances":
		state.Direct = true
	default:
		t.Fatalf("what is %q?", column)
	}
	for _, item := range items[1:] {
		switch item[0] {
		case "proven":
			state.Proofs[item[1]] = Proven
		case "elsewhere":
			state.Proofs[item[1]] = Elsewhere
		case "of":
			state.ProofsOfOther = true
		default:
			state.Workloads = append(state.Workloads, workloadOf(t, item))
		}
	}
	return state
}

func workloadOf(t *testing.T, item []string) Workload {
	t.Helper()
	numbers := strings.Split(item[1]+"/0", "/")
	w := Workload{Name: item[0], Spec: AsDesired, Pods: Pods{
		All: numberOf(t, numbers[0]), Available: numberOf(t, numbers[1]), Unavailable: numberOf(t, numbers[2]),
		Updated: numberOf(t, numbers[3]), Unclear: numberOf(t, numbers[4]),
	}}
	for _, shows := range item[2:] {
		switch shows {
		case "leftover":
			w.Leftover = true
		case "recreated":
			w.Created = "later"
		case "differs":
			w.Spec = Differs
		case "not-taken-up":
			w.Spec = NotTakenUp
		case "of-other":
			w.Spec = OfOther
		case "deadline":
			w.DeadlineExceeded = true
		case "paused":
			w.Paused = true
		case "releasing":
			w.Releasing = true
		default:
			t.Fatalf("what is %q?", shows)
		}
	}
	return w
}

func historyOf(t *testing.T, column string, target Target) (h History) {
	t.Helper()
	for _, word := range strings.Fields(column) {
		switch name, started := strings.CutPrefix(word, "*"); {
		case started:
			h.Started = make([]bool, len(target.Workloads))
			h.Started[slices.IndexFunc(target.Workloads, func(w Desired) bool { return w.Name == name })] = true
		case word == "seen":
			h.Consecutive = 1
		case word == "lag":
			h.PastLag = true
		case word == "margin":
			h.PastLagMargin = true
		case word == "start":
			h.PastStartTimeout = true
		case word == "leftovers":
			h.PastLeftovers = true
		case word == "pause":
			h.PastPause = true
		default:
			t.Fatalf("what is %q?", word)
		}
	}
	return h
}

// TestCases judges each case of testdata/cases.txt, which has every reason.
func TestCases(t *testing.T) {
	t.Parallel()
	seen, kind := map[Reason]bool{}, ""
	for line := range strings.Lines(testfile.Read(t, "testdata/cases.txt")) {
		line = strings.TrimSpace(line)
		if name, heading := strings.CutPrefix(line, "== "); heading {
			kind = name
		}
		columns := strings.Split(line, "|")
		if len(columns) != 7 {
			if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "==") {
				t.Errorf("%d columns: %s", len(columns), line)
			}
			continue
		}
		for i := range columns {
			columns[i] = strings.TrimSpace(columns[i])
		}
		target := targetOf(t, columns[1], columns[2])
		verdict, history := Judge(stateOf(t, columns[3]), target, historyOf(t, columns[4], target))
		seen[verdict.Reason] = true
		if got := describe(verdict); got != columns[5] {
			t.Errorf("%s: %s: %s, want %s", kind, columns[0], got, columns[5])
		}
		var started []string
		for i, w := range target.Workloads {
			if history.Started[i] {
				started = append(started, w.Name)
			}
		}
		if got := strings.Join(started, " "); columns[6] != "" && got != strings.Trim(columns[6], "-") {
			t.Errorf("%s: %s: started is %q, want %q", kind, columns[0], got, columns[6])
		}
	}
	for name, reason := range reasonNames {
		if !seen[reason] {
			t.Errorf("no case has the reason %q", name)
		}
	}
}

// TestHistory: the history measures for how long a reason is the same, a workload is paused and a
// leftover runs.
func TestHistory(t *testing.T) {
	t.Parallel()
	began, times := time.Date(2026, 1, 8, 12, 0, 0, 0, time.UTC), Times{Lag: time.Second, LagMargin: 2 * time.Second, Start: time.Minute, Leftovers: time.Minute, Pause: time.Minute}
	const (
		held, runs = "Deployment, kd 2/2/0/0 paused", "Deployment, kd 2/2/0/2 paused"
		old        = "Available, kd 2/2/0/2 leftover"
	)
	for name, test := range map[string]struct {
		states [4]string // every 30 s
		want   [4]string
		since  int // the state that gave the last reason first
	}{
		"paused":             {[4]string{held, held, held, held}, [4]string{"under way: outdated kd", "under way: outdated kd", "stands: paused kd", "stands: paused kd"}, 2},
		"resumed in between": {[4]string{held, runs, held, held}, [4]string{"under way: outdated kd", "runs", "under way: outdated kd", "under way: outdated kd"}, 2},
		"left over":          {[4]string{old, old, old, old}, [4]string{"under way: old kd", "under way: old kd", "under way: not confirmed", "runs"}, 3},
		"left over, deleted": {[4]string{old, "nothing", old, old}, [4]string{"under way: old kd", "under way: no status", "under way: old kd", "under way: old kd"}, 2},
	} {
		var history History
		var verdict Verdict
		for i, state := range test.states {
			verdict, history = Judge(stateOf(t, state), targetOf(t, "kd 2", "?"), history.At(began.Add(time.Duration(i)*30*time.Second), began, began, times))
			if got := describe(verdict); got != test.want[i] {
				t.Errorf("%s, state %d: %s, want %s", name, i, got, test.want[i])
			}
		}
		if since := began.Add(time.Duration(test.since) * 30 * time.Second); !history.Since.Equal(since) {
			t.Errorf("%s: %s since %s, want %s", name, describe(verdict), history.Since, since)
		}
	}
	for _, step := range []struct {
		after time.Duration
		past  [3]bool
	}{{0, [3]bool{}}, {time.Second, [3]bool{true}}, {2 * time.Second, [3]bool{true, true}}, {time.Minute, [3]bool{true, true, true}}} {
		h := History{}.At(began.Add(step.after), began, began, times)
		if past := [3]bool{h.PastLag, h.PastLagMargin, h.PastStartTimeout}; past != step.past {
			t.Errorf("after %s: %v", step.after, past)
		}
	}
	if h := (History{}).At(began.Add(time.Minute), began, began.Add(time.Second), times); h.PastStartTimeout {
		t.Error("the time of an outage counts")
	}
}

// TestInterrupted: a time without a state, and a state that no other follows, change what is known.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	const running, leftover = "Available, alice 2/2/0/2", "Available, alice 2/2/0/2 leftover"
	target, updated := targetOf(t, "alice 2", "?"), targetOf(t, "update, alice 2 rolling", "?")
	judged := func(state string, history History) (string, History) {
		verdict, next := Judge(stateOf(t, state), target, history)
		return describe(verdict), next
	}
	_, once := judged(running, History{})
	for what, c := range map[string]struct {
		state   string
		history History
		want    string
	}{
		"confirmed":             {running, once, "runs"},
		"interrupted":           {running, once.Interrupted(), "under way: not confirmed"},
		"one state":             {running, History{}.ForOneState(), "runs"},
		"one state, left over":  {leftover, History{}.ForOneState(), "runs"},
		"one of several states": {leftover, once, "under way: old alice"},
	} {
		if got, _ := judged(c.state, c.history); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
	if unseen := (History{}).Unseen(updated); !slices.Equal(unseen, []string{"alice"}) {
		t.Errorf("before the first state the start of %q was not seen", unseen)
	}
}

// recorded are the targets of the series in testdata/series.txt.
var recorded = map[string][2]string{
	"create":                             {"alice 2, bob 1", "?"},
	"configuration":                      {"update, alice 2 rolling, bob 1 rolling", "Available, alice 2/2/0/2, bob 1/1/0/1"},
	"replicas 2 to 3":                    {"update, alice 3, bob 1", "Available, alice 2/2/0/2, bob 1/1/0/1"},
	"replicas 3 to 1":                    {"update, alice 1, bob 1", "?"},
	"resources of alice":                 {"update, alice 1 rolling, bob 1 unchanged", "Available, alice 1/1/0/1, bob 1/1/0/1"},
	"configuration, alice with Recreate": {"update, alice 1 recreate, bob 1 rolling", "Available, alice 1/1/0/1, bob 1/1/0/1"},
	"a repairing update":                 {"update, alice 1 rolling, bob 1 unchanged", "Failed, bob 1/1/0/1"},
}

type recording struct {
	ms    int
	state State
}

func seriesOf(t *testing.T, name string) (series []recording) {
	t.Helper()
	_, rest, _ := strings.Cut(testfile.Read(t, "testdata/series.txt"), "\n"+name+"\n")
	rest, _, _ = strings.Cut(rest, "\n\n")
	for line := range strings.Lines(rest) {
		columns := strings.Fields(line)
		text := map[string]string{"-": "nothing", "Available": "Available", "Failed": "Failed"}[columns[1]]
		if text == "" {
			text = "Other"
		}
		for i, domain := range []string{"alice", "bob"} {
			if counts := columns[2+i]; counts != "-" {
				text += fmt.Sprintf(", %s %s", domain, strings.ReplaceAll(counts, ",", "/"))
			}
		}
		series = append(series, recording{int(numberOf(t, columns[0])), stateOf(t, text)})
	}
	return series
}

// TestRecordedSeries judges each series at random times, thousands of times:
// the verdict is never Runs before the serving runs, never Stands, and always
// Runs in the end.
func TestRecordedSeries(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for name, of := range recorded {
		series, target := seriesOf(t, name), targetOf(t, of[0], of[1])
		for range 3000 {
			var history History
			ended := false
			for ms := random.IntN(260); ms < 6000; ms += 50 + random.IntN(450) {
				at := 0
				for i, r := range series {
					if r.ms <= ms {
						at = i
					}
				}
				history.PastLag, history.PastLagMargin = ms >= 750, ms >= 1500
				var verdict Verdict
				verdict, history = Judge(series[at].state, target, history)
				if verdict.Is == Stands {
					t.Fatalf("%s: it stands at %d ms", name, ms)
				}
				if verdict.Runs() {
					if at != len(series)-1 {
						t.Fatalf("%s: it runs at %d ms, too early", name, ms)
					}
					ended = true
					break
				}
			}
			if !ended {
				t.Fatalf("%s: it never runs", name)
			}
		}
	}
}
