package lifecycle_test

import (
	"cmp"
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
	errLost      = errors.New("the connection broke")
	errExists    = errors.New("the id is taken")
	errNotFound  = errors.New("not found")
	errRetryable = errors.New("leftovers of an earlier object")
	errTransient = errors.New("come back later")
	errRefused   = errors.New("the content is wrong")
	errDenied    = errors.New("the token is wrong")
)

func one(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

var kinds = lifecycle.Errors{
	AlreadyExists: one(errExists), OutcomeUnknown: one(errLost), NotFound: one(errNotFound), Retryable: one(errRetryable), Transient: one(errTransient),
}

// server returns errors for creates and lookups from two lists; the last entry
// of each is repeated.
type server struct {
	creates, lookups         []error
	createCount, lookupCount int
	// content is the content that a successful lookup returns.
	content  string
	onSend   func()
	onLookup func(context.Context)
}

func nextError(list []error, n int) error {
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
			s.createCount++
			if s.onSend != nil {
				s.onSend()
			}
			return nextError(s.creates, s.createCount-1)
		},
		Lookup: func(ctx context.Context) (string, error) {
			if s.onLookup != nil {
				s.onLookup(ctx)
			}
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			s.lookupCount++
			return s.content, nextError(s.lookups, s.lookupCount-1)
		},
		Differences: func(content string) []string {
			if content == desired {
				return nil
			}
			return []string{"replicas", "image"}
		},
	}
}

// How a create of TestOutcomes is made, and which object the server has.
const (
	// adopt enables the adoption of existing objects, and first looks an object up before anything
	// is sent, for a server whose create would overwrite it.
	adopt = 1 << iota
	first
	// other is an object with other content; in another one, nearly, only an object that existed
	// before is compared strictly enough to see the difference.
	other
	nearly
	// canceled: the apply is canceled during the request.
	canceled
)

// TestOutcomes covers every kind of server behavior.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	taken := &lifecycle.AlreadyExistsError{}
	for name, test := range map[string]struct {
		creates, lookups         []error
		how                      int
		outcome                  lifecycle.Outcome
		is                       error // the expected error, nil for none
		createCount, lookupCount int
	}{
		"created":                           {nil, nil, adopt, lifecycle.Created, nil, 1, 0},
		"refused":                           {[]error{errRefused}, nil, adopt, lifecycle.NotCreated, errRefused, 1, 0},
		"taken, same content":               {[]error{errExists}, nil, 0, lifecycle.NotCreated, taken, 1, 0},
		"taken, same content, adopt":        {[]error{errExists}, nil, adopt, lifecycle.Adopted, nil, 1, 1},
		"taken, other content, adopt":       {[]error{errExists}, nil, other | adopt, lifecycle.NotCreated, taken, 1, 1},
		"taken, nearly the content, adopt":  {[]error{errExists}, nil, nearly | adopt, lifecycle.NotCreated, taken, 1, 1},
		"taken, lookup denied, adopt":       {[]error{errExists}, []error{errDenied}, adopt, lifecycle.NotCreated, errDenied, 1, 1},
		"taken, deleted meanwhile, adopt":   {[]error{errExists, nil}, []error{errNotFound}, adopt, lifecycle.Created, nil, 2, 1},
		"lost and happened":                 {[]error{errLost}, nil, 0, lifecycle.Created, nil, 1, 1},
		"lost and happened, adopt":          {[]error{errLost}, nil, nearly | adopt, lifecycle.Created, nil, 1, 1},
		"lost, other content, adopt":        {[]error{errLost}, nil, other | adopt, lifecycle.NotCreated, taken, 1, 1},
		"lost and not happened":             {[]error{errLost, nil}, []error{errNotFound}, 0, lifecycle.Created, nil, 2, 1},
		"lost and happened late":            {[]error{errLost, errExists}, []error{errNotFound, nil}, 0, lifecycle.Created, nil, 2, 2},
		"lost, then other content":          {[]error{errLost, errExists}, []error{errNotFound, nil}, other, lifecycle.NotCreated, taken, 2, 2},
		"lost twice":                        {[]error{errLost, errLost}, []error{errNotFound, nil}, 0, lifecycle.Created, nil, 2, 2},
		"lost, then refused":                {[]error{errLost, errRefused}, []error{errNotFound}, 0, lifecycle.Unknown, errRefused, 2, 2},
		"lost, then refused, happened late": {[]error{errLost, errRefused}, []error{errNotFound, nil}, 0, lifecycle.Created, nil, 2, 2},
		"lost, then denied, lookup denied":  {[]error{errLost, errDenied}, []error{errNotFound, errDenied}, 0, lifecycle.Unknown, errDenied, 2, 2},
		"lost, then blocked, then created":  {[]error{errLost, errRetryable, nil}, []error{errNotFound}, 0, lifecycle.Created, nil, 3, 1},
		"lost, lookup denied":               {[]error{errLost}, []error{errDenied}, 0, lifecycle.Unknown, errDenied, 1, 1},
		"lost, lookup repeated":             {[]error{errLost}, []error{errTransient, nil}, 0, lifecycle.Created, nil, 1, 2},
		"blocked, then created":             {[]error{errRetryable, errRetryable, nil}, nil, 0, lifecycle.Created, nil, 3, 0},
		"blocked, then refused":             {[]error{errRetryable, errRefused}, nil, 0, lifecycle.NotCreated, errRefused, 2, 0},
		"blocked, then taken, adopt":        {[]error{errRetryable, errExists}, nil, adopt, lifecycle.Adopted, nil, 2, 1},
		"first: absent":                     {nil, []error{errNotFound}, first, lifecycle.Created, nil, 1, 1},
		"first: there":                      {nil, nil, first, lifecycle.NotCreated, taken, 0, 1},
		"first: there, adopt":               {nil, nil, first | adopt, lifecycle.Adopted, nil, 0, 1},
		"first: other content":              {nil, nil, first | other | adopt, lifecycle.NotCreated, taken, 0, 1},
		"first: lookup denied":              {nil, []error{errDenied}, first | adopt, lifecycle.NotCreated, errDenied, 0, 1},
		"first: asked again":                {nil, []error{errTransient, errNotFound}, first, lifecycle.Created, nil, 1, 2},
		"first: lost, happened":             {[]error{errLost}, []error{errNotFound, nil}, first, lifecycle.Created, nil, 1, 2},
		"first: lost, other content":        {[]error{errLost}, []error{errNotFound, nil}, first | other | adopt, lifecycle.NotCreated, taken, 1, 2},
		"canceled, there":                   {[]error{errLost}, nil, canceled, lifecycle.Created, nil, 1, 1},
		"canceled, not there":               {[]error{errLost}, []error{errNotFound}, canceled, lifecycle.Unknown, errLost, 1, 1},
		"canceled, no answer":               {[]error{errLost}, []error{errTransient}, canceled, lifecycle.Unknown, errTransient, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s := &server{creates: test.creates, lookups: test.lookups, content: desired}
				if test.how&other != 0 {
					s.content = "another's"
				}
				if test.how&canceled != 0 {
					s.onSend = cancel
				}
				create := s.create()
				create.LookupFirst, create.AdoptExisting = test.how&first != 0, test.how&adopt != 0
				if test.how&nearly != 0 {
					create.StrictDifferences = func(string) []string { return []string{"resources"} }
				}
				check(t, create.Do(ctx), test.outcome, test.is)
				if s.createCount != test.createCount || s.lookupCount != test.lookupCount {
					t.Errorf("%d creates and %d lookups, want %d and %d", s.createCount, s.lookupCount, test.createCount, test.lookupCount)
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
	case is != nil && !errors.Is(errors.Join(got.Err, got.LookupErr), is):
		t.Errorf("error is %v, want %v", got.Err, is)
	}
	if got.Outcome.InState() != (outcome != lifecycle.NotCreated) {
		t.Errorf("InState of %s: %t", got.Outcome, got.Outcome.InState())
	}
}

// TestRetriesEnd: repetitions end, by the time limit or by the context, and an
// undetermined outcome is Unknown.
func TestRetriesEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		creates, lookups []error
		outcome          lifecycle.Outcome
		is               error
	}{
		"always blocked":         {[]error{errRetryable}, nil, lifecycle.NotCreated, errRetryable},
		"lost, lookups fail":     {[]error{errLost}, []error{errTransient}, lifecycle.Unknown, errTransient},
		"lost and never found":   {[]error{errLost}, []error{errNotFound}, lifecycle.Unknown, errLost},
		"lost, taken, no trace":  {[]error{errLost, errExists}, []error{errNotFound}, lifecycle.Unknown, errExists},
		"taken, and never found": {[]error{errExists}, []error{errNotFound}, lifecycle.NotCreated, errExists},
		"taken, lookups fail":    {[]error{errExists}, []error{errTransient}, lifecycle.NotCreated, errTransient},
	} {
		// The time that the request has in all, and that repetitions have; 0 is the default.
		for limit, repeat := range map[time.Duration]time.Duration{700 * time.Millisecond: 0, time.Hour: 0, 2 * time.Hour: time.Minute} {
			t.Run(fmt.Sprintf("%s/%s", name, limit), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), limit)
					defer cancel()
					s := &server{creates: test.creates, lookups: test.lookups}
					create := s.create()
					create.AdoptExisting, create.RetryTimeout = true, repeat
					began := time.Now()
					check(t, create.Do(ctx), test.outcome, test.is)
					want := cmp.Or(repeat, lifecycle.DefaultRetryTimeout)
					if errors.Is(test.is, errRetryable) {
						want = 30 * time.Second
					}
					if took := time.Since(began); took < min(want, limit) || took > min(want, limit)+2*time.Second {
						t.Errorf("it took %s, want %s", took, min(want, limit))
					}
				})
			})
		}
	}
}

// TestCanceledDuringLookup: a cancellation ends a lookup, which is repeated once.
func TestCanceledDuringLookup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var limits []time.Duration
		s := &server{creates: []error{errLost}, content: desired}
		s.onLookup = func(asking context.Context) {
			limit, _ := asking.Deadline()
			limits = append(limits, time.Until(limit))
			if len(limits) == 1 {
				<-asking.Done()
			}
		}
		check(t, s.create().Do(ctx), lifecycle.Created, nil)
		if !slices.Equal(limits, []time.Duration{time.Second, 5 * time.Second}) {
			t.Errorf("the lookups had %s", limits)
		}
	})
}

// TestAlreadyExistsError: the text contains the differences and the cause.
func TestAlreadyExistsError(t *testing.T) {
	t.Parallel()
	s := &server{creates: []error{errExists}, content: "other"}
	create := s.create()
	create.AdoptExisting = true
	var taken *lifecycle.AlreadyExistsError
	err := create.Do(t.Context()).Err
	if !errors.As(err, &taken) || !slices.Equal(taken.Differences, []string{"replicas", "image"}) || taken.ResponseLost {
		t.Fatalf("%#v", err)
	}
	if !errors.Is(err, errExists) {
		t.Error("the cause is lost")
	}
	for want, err := range map[string]lifecycle.AlreadyExistsError{
		"an object with this ID already exists":                                            {},
		"an object with this ID already exists, which differs from the configuration in a": {Differences: []string{"a"}},
		"the response to the request was lost, and an object with this ID exists: x":       {ResponseLost: true, LookupErr: errors.New("x")},
	} {
		if err.Error() != want {
			t.Errorf("got %q, want %q", err.Error(), want)
		}
	}
}
