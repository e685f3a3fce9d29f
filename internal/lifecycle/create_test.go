package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
)

var (
	errLost    = errors.New("the connection broke")
	errTaken   = errors.New("the id is taken")
	errAbsent  = errors.New("not found")
	errBlocked = errors.New("leftovers of an earlier object")
	errBusy    = errors.New("come back later")
	errRefused = errors.New("the content is wrong")
	errDenied  = errors.New("the token is wrong")
)

func one(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

var kinds = lifecycle.Errors{
	Exists: one(errTaken), MayHaveHappened: one(errLost), NotFound: one(errAbsent), Retryable: one(errBlocked), Transient: one(errBusy),
}

// server returns errors for creates and lookups from two lists; the last entry
// of each is repeated.
type server struct {
	creates, looks  []error
	created, looked int
	// content is the content that a successful lookup returns.
	content string
	onSend  func()
	onLook  func(context.Context)
}

func answer(list []error, n int) error {
	if len(list) == 0 {
		return nil
	}
	return list[min(n, len(list)-1)]
}

const desired = "as configured"

func (s *server) create() lifecycle.Create[string] {
	return lifecycle.Create[string]{
		Errors: kinds,
		Send: func(ctx context.Context) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s.created++
			if s.onSend != nil {
				s.onSend()
			}
			return answer(s.creates, s.created-1)
		},
		Lookup: func(ctx context.Context) (string, error) {
			if s.onLook != nil {
				s.onLook(ctx)
			}
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			s.looked++
			return s.content, answer(s.looks, s.looked-1)
		},
		Differences: func(content string) []string {
			if content == desired {
				return nil
			}
			return []string{"replicas", "image"}
		},
	}
}

// TestOutcomes covers every kind of server behavior, for an object with the
// desired content and with another one, with and without the adoption of
// existing objects.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	const (
		same, other = desired, "another's"
		adopt, not  = true, false
	)
	taken := &lifecycle.AlreadyExistsError{}
	for name, test := range map[string]struct {
		creates, looks  []error
		content         string
		adopt           bool
		outcome         lifecycle.Outcome
		is              error // the expected error, nil for none
		created, looked int
	}{
		"created":                           {nil, nil, same, not, lifecycle.Created, nil, 1, 0},
		"created, adoption enabled":         {nil, nil, same, adopt, lifecycle.Created, nil, 1, 0},
		"refused":                           {[]error{errRefused}, nil, same, not, lifecycle.NotCreated, errRefused, 1, 0},
		"refused, adoption enabled":         {[]error{errRefused}, nil, same, adopt, lifecycle.NotCreated, errRefused, 1, 0},
		"taken, same content":               {[]error{errTaken}, nil, same, not, lifecycle.NotCreated, taken, 1, 0},
		"taken, other content":              {[]error{errTaken}, nil, other, not, lifecycle.NotCreated, taken, 1, 0},
		"taken, same content, adopt":        {[]error{errTaken}, nil, same, adopt, lifecycle.Adopted, nil, 1, 1},
		"taken, other content, adopt":       {[]error{errTaken}, nil, other, adopt, lifecycle.NotCreated, taken, 1, 1},
		"taken, lookup denied, adopt":       {[]error{errTaken}, []error{errDenied}, same, adopt, lifecycle.NotCreated, errDenied, 1, 1},
		"taken, deleted meanwhile, adopt":   {[]error{errTaken, nil}, []error{errAbsent}, same, adopt, lifecycle.Created, nil, 2, 1},
		"lost and happened":                 {[]error{errLost}, nil, same, not, lifecycle.Created, nil, 1, 1},
		"lost and happened, adopt":          {[]error{errLost}, nil, same, adopt, lifecycle.Created, nil, 1, 1},
		"lost, other content":               {[]error{errLost}, nil, other, not, lifecycle.NotCreated, taken, 1, 1},
		"lost, other content, adopt":        {[]error{errLost}, nil, other, adopt, lifecycle.NotCreated, taken, 1, 1},
		"lost and not happened":             {[]error{errLost, nil}, []error{errAbsent}, same, not, lifecycle.Created, nil, 2, 1},
		"lost and happened late":            {[]error{errLost, errTaken}, []error{errAbsent, nil}, same, not, lifecycle.Created, nil, 2, 2},
		"lost, then other content":          {[]error{errLost, errTaken}, []error{errAbsent, nil}, other, not, lifecycle.NotCreated, taken, 2, 2},
		"lost twice":                        {[]error{errLost, errLost}, []error{errAbsent, nil}, same, not, lifecycle.Created, nil, 2, 2},
		"lost, then refused":                {[]error{errLost, errRefused}, []error{errAbsent}, same, not, lifecycle.NotCreated, errRefused, 2, 2},
		"lost, then refused, happened late": {[]error{errLost, errRefused}, []error{errAbsent, nil}, same, not, lifecycle.Created, nil, 2, 2},
		"lost, then denied, lookup denied":  {[]error{errLost, errDenied}, []error{errAbsent, errDenied}, same, not, lifecycle.Unknown, errDenied, 2, 2},
		"lost, then blocked, then created":  {[]error{errLost, errBlocked, nil}, []error{errAbsent}, same, not, lifecycle.Created, nil, 3, 1},
		"lost, lookup denied":               {[]error{errLost}, []error{errDenied}, same, not, lifecycle.Unknown, errDenied, 1, 1},
		"lost, lookup repeated":             {[]error{errLost}, []error{errBusy, nil}, same, not, lifecycle.Created, nil, 1, 2},
		"blocked, then created":             {[]error{errBlocked, errBlocked, nil}, nil, same, not, lifecycle.Created, nil, 3, 0},
		"blocked, then refused":             {[]error{errBlocked, errRefused}, nil, same, not, lifecycle.NotCreated, errRefused, 2, 0},
		"blocked, then taken":               {[]error{errBlocked, errTaken}, nil, same, not, lifecycle.NotCreated, taken, 2, 0},
		"blocked, then taken, adopt":        {[]error{errBlocked, errTaken}, nil, same, adopt, lifecycle.Adopted, nil, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &server{creates: test.creates, looks: test.looks, content: test.content}
				create := s.create()
				create.AdoptExisting = test.adopt
				got := create.Do(t.Context())
				check(t, got, test.outcome, test.is)
				if s.created != test.created || s.looked != test.looked {
					t.Errorf("%d creates and %d lookups, want %d and %d", s.created, s.looked, test.created, test.looked)
				}
			})
		})
	}
}

func check(t *testing.T, got lifecycle.Result, outcome lifecycle.Outcome, is error) {
	t.Helper()
	if got.Outcome != outcome {
		t.Errorf("outcome is %s, want %s (%v)", got.Outcome, outcome, got.Err)
	}
	var taken *lifecycle.AlreadyExistsError
	switch {
	case is == nil && got.Err != nil, is != nil && got.Err == nil:
		t.Errorf("error is %v, want %v", got.Err, is)
	case errors.As(is, &taken):
		if !errors.As(got.Err, &taken) {
			t.Errorf("error is %v, want a taken id", got.Err)
		}
	case is != nil && !errors.Is(got.Err, is):
		t.Errorf("error is %v, want %v", got.Err, is)
	}
	if got.Outcome.InState() != (outcome != lifecycle.NotCreated) {
		t.Errorf("InState of %s: %t", got.Outcome, got.Outcome.InState())
	}
}

// TestLookFirst: a server whose create would overwrite an object is queried
// before anything is sent.
func TestLookFirst(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		creates, looks  []error
		content         string
		adopt           bool
		outcome         lifecycle.Outcome
		is              error
		created, looked int
	}{
		"absent":                        {nil, []error{errAbsent}, desired, false, lifecycle.Created, nil, 1, 1},
		"there":                         {nil, nil, desired, false, lifecycle.NotCreated, &lifecycle.AlreadyExistsError{}, 0, 1},
		"there, adopt":                  {nil, nil, desired, true, lifecycle.Adopted, nil, 0, 1},
		"exists with other content":     {nil, nil, "other", true, lifecycle.NotCreated, &lifecycle.AlreadyExistsError{}, 0, 1},
		"lookup denied":                 {nil, []error{errDenied}, desired, true, lifecycle.NotCreated, errDenied, 0, 1},
		"asked again":                   {nil, []error{errBusy, errAbsent}, desired, false, lifecycle.Created, nil, 1, 2},
		"absent, lost, happened":        {[]error{errLost}, []error{errAbsent, nil}, desired, false, lifecycle.Created, nil, 1, 2},
		"absent, lost, other content":   {[]error{errLost}, []error{errAbsent, nil}, "other", true, lifecycle.NotCreated, &lifecycle.AlreadyExistsError{}, 1, 2},
		"absent, lost, nothing happens": {[]error{errLost, nil}, []error{errAbsent}, desired, false, lifecycle.Created, nil, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &server{creates: test.creates, looks: test.looks, content: test.content}
				create := s.create()
				create.LookupFirst, create.AdoptExisting = true, test.adopt
				check(t, create.Do(t.Context()), test.outcome, test.is)
				if s.created != test.created || s.looked != test.looked {
					t.Errorf("%d creates and %d lookups, want %d and %d", s.created, s.looked, test.created, test.looked)
				}
			})
		})
	}
}

// TestEnds: repetitions end, by the time limit or by the context, and an
// undetermined outcome is Unknown.
func TestEnds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		creates, looks []error
		outcome        lifecycle.Outcome
		is             error
	}{
		"always blocked":         {[]error{errBlocked}, nil, lifecycle.NotCreated, errBlocked},
		"lost, lookups fail":     {[]error{errLost}, []error{errBusy}, lifecycle.Unknown, errBusy},
		"lost and never found":   {[]error{errLost}, []error{errAbsent}, lifecycle.Unknown, errLost},
		"lost, taken, no trace":  {[]error{errLost, errTaken}, []error{errAbsent}, lifecycle.Unknown, errTaken},
		"taken, and never found": {[]error{errTaken}, []error{errAbsent}, lifecycle.NotCreated, errTaken},
		"taken, lookups fail":    {[]error{errTaken}, []error{errBusy}, lifecycle.NotCreated, errBusy},
	} {
		for _, limit := range []time.Duration{700 * time.Millisecond, time.Hour} {
			t.Run(fmt.Sprintf("%s/%s", name, limit), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), limit)
					defer cancel()
					s := &server{creates: test.creates, looks: test.looks}
					create := s.create()
					create.AdoptExisting = true
					began := time.Now()
					check(t, create.Do(ctx), test.outcome, test.is)
					if took := time.Since(began); took > min(limit+5*time.Second, 35*time.Second) {
						t.Errorf("it took %s", took)
					}
				})
			})
		}
	}
}

// TestCancelled: after a cancellation during the request, the outcome is still
// determined.
func TestCancelled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		looks   []error
		outcome lifecycle.Outcome
		is      error
	}{
		"there":     {nil, lifecycle.Created, nil},
		"not there": {[]error{errAbsent}, lifecycle.Unknown, errLost},
		"no answer": {[]error{errBusy}, lifecycle.Unknown, errBusy},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			s := &server{creates: []error{errLost}, looks: test.looks, content: desired, onSend: cancel}
			check(t, s.create().Do(ctx), test.outcome, test.is)
			if s.created != 1 || s.looked != 1 {
				t.Errorf("%d creates, %d lookups", s.created, s.looked)
			}
		})
	}
}

// TestCancelledInALook: a cancelled lookup is repeated once.
func TestCancelledInALook(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var limit time.Time
	s := &server{creates: []error{errLost}, content: desired}
	s.onLook = func(asking context.Context) {
		cancel()
		limit, _ = asking.Deadline()
	}
	check(t, s.create().Do(ctx), lifecycle.Created, nil)
	if left := time.Until(limit); s.looked != 1 || left <= 0 || left > 5*time.Second {
		t.Errorf("%d lookups; time left for the last: %s", s.looked, left)
	}
}

// TestTakenError: the text contains the differences and the cause.
func TestTakenError(t *testing.T) {
	t.Parallel()
	s := &server{creates: []error{errTaken}, content: "other"}
	create := s.create()
	create.AdoptExisting = true
	var taken *lifecycle.AlreadyExistsError
	err := create.Do(t.Context()).Err
	if !errors.As(err, &taken) || !slices.Equal(taken.Differences, []string{"replicas", "image"}) || taken.AnswerLost {
		t.Fatalf("%#v", err)
	}
	if want := "an object with this ID exists already that differs from the configuration in replicas, image: the id is taken"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if !errors.Is(err, errTaken) {
		t.Error("the cause is lost")
	}
}

// TestStrictDifferences: an object that existed before is compared more
// strictly than one whose create response was lost.
func TestStrictDifferences(t *testing.T) {
	t.Parallel()
	for cause, want := range map[error]lifecycle.Outcome{errLost: lifecycle.Created, errTaken: lifecycle.NotCreated} {
		create := (&server{creates: []error{cause}, content: desired}).create()
		create.AdoptExisting = true
		create.StrictDifferences = func(string) []string { return []string{"resources"} }
		if got := create.Do(t.Context()); got.Outcome != want {
			t.Errorf("%v: %s (%v), want %s", cause, got.Outcome, got.Err, want)
		}
	}
}
