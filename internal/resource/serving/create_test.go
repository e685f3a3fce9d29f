package serving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// fakeAPI answers creates and queries from two lists; the last entry of each
// is repeated.
type fakeAPI struct {
	creates          []error
	queries          []error
	serving          *kuscia.Serving // what a query without error returns
	created, queried int
	onQuery          func(ctx context.Context)
}

func next(list []error, n int) error {
	if len(list) == 0 {
		return nil
	}
	return list[min(n, len(list)-1)]
}

func (f *fakeAPI) CreateServing(ctx context.Context, _ *kuscia.CreateServingRequest) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f.created++
	return next(f.creates, f.created-1)
}

func (f *fakeAPI) QueryServing(ctx context.Context, _ string) (*kuscia.Serving, error) {
	if f.onQuery != nil {
		f.onQuery(ctx)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f.queried++
	if err := next(f.queries, f.queried-1); err != nil {
		return nil, err
	}
	return f.serving, nil
}

// lostAnswer is the error of a client whose create was not answered.
func lostAnswer(t *testing.T) error {
	t.Helper()
	api := newScripted(t, func(string, string) reply { return reply{drop: true} })
	err := api.CreateServing(t.Context(), &kuscia.CreateServingRequest{ServingID: "glm"})
	if !kuscia.MayHaveHappened(err) {
		t.Fatalf("a lost answer is %v", err)
	}
	return err
}

func kind(err error) error { return fmt.Errorf("serving/create: %w", err) }

// isA reports whether an error is of a type.
func isA[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

func sameContent(*kuscia.Serving) []string { return nil }

func otherContent(*kuscia.Serving) []string {
	return []string{"initiator", "replicas of party bob/"}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	lost := lostAnswer(t)
	there := &kuscia.Serving{Initiator: "alice"}
	exists, leftover, absent := kind(kuscia.ErrExists), kind(kuscia.ErrLeftover), kind(kuscia.ErrNotFound)
	refused := errors.New("resource min_cpu abc format is invalid")
	taken, uncertain := isA[*existsError], isA[*uncertainError]

	for name, test := range map[string]struct {
		creates, queries []error
		differs          func(*kuscia.Serving) []string
		created, queried int
		is               error            // what the error is, by errors.Is
		as               func(error) bool // or by errors.As; both nil is success
	}{
		"created":                              {creates: []error{nil}, created: 1},
		"refused":                              {creates: []error{refused}, created: 1, is: refused},
		"exists":                               {creates: []error{exists}, created: 1, as: taken},
		"leftover goes away":                   {creates: []error{leftover, leftover, nil}, created: 3},
		"leftover, then refused":               {creates: []error{leftover, refused}, created: 2, is: refused},
		"leftover, then exists":                {creates: []error{leftover, exists}, created: 2, as: taken},
		"lost, same content":                   {creates: []error{lost}, created: 1, queried: 1},
		"lost, other content":                  {creates: []error{lost}, differs: otherContent, created: 1, queried: 1, as: taken},
		"lost, not there, created again":       {creates: []error{lost, nil}, queries: []error{absent}, created: 2, queried: 1},
		"lost, not there, had its effect late": {creates: []error{lost, exists}, queries: []error{absent, nil}, created: 2, queried: 2},
		"lost, not there, somebody else's":     {creates: []error{lost, exists}, queries: []error{absent, nil}, differs: otherContent, created: 2, queried: 2, as: taken},
		"lost twice":                           {creates: []error{lost, lost}, queries: []error{absent, nil}, created: 2, queried: 2},
		"lost, not there, leftover, created":   {creates: []error{lost, leftover, nil}, queries: []error{absent}, created: 3, queried: 1},
		"lost, not there, refused":             {creates: []error{lost, refused}, queries: []error{absent}, created: 2, queried: 1, is: refused},
		"lost, may not ask":                    {creates: []error{lost}, queries: []error{kind(kuscia.ErrUnauthorized)}, created: 1, queried: 1, as: uncertain},
		"lost, app image gone":                 {creates: []error{lost}, queries: []error{kind(kuscia.ErrAppImageMissing)}, created: 1, queried: 1, as: uncertain},
		"lost, asked again":                    {creates: []error{lost}, queries: []error{kind(kuscia.ErrUnavailable), nil}, created: 1, queried: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := &fakeAPI{creates: test.creates, queries: test.queries, serving: there}
			differs := test.differs
			if differs == nil {
				differs = sameContent
			}
			err := create(t.Context(), api, &kuscia.CreateServingRequest{ServingID: "glm"}, false, differs)
			switch {
			case test.is == nil && test.as == nil:
				if err != nil {
					t.Errorf("error is %v", err)
				}
			case test.is != nil && !errors.Is(err, test.is), test.as != nil && !test.as(err):
				t.Errorf("error is %v", err)
			}
			if api.created != test.created || api.queried != test.queried {
				t.Errorf("%d creates and %d queries, want %d and %d", api.created, api.queried, test.created, test.queried)
			}
		})
	}
}

// TestCreateEnds: nothing is tried without end. What happened is asked for
// once more when the time is over, and is said to be open when it is.
func TestCreateEnds(t *testing.T) {
	t.Parallel()
	lost := lostAnswer(t)
	uncertain := isA[*uncertainError]
	for name, test := range map[string]struct {
		creates, queries []error
		as               func(error) bool
		is               error
	}{
		"leftover for ever":      {creates: []error{kind(kuscia.ErrLeftover)}, is: kuscia.ErrLeftover},
		"lost, nobody answers":   {creates: []error{lost}, queries: []error{kind(kuscia.ErrUnavailable)}, as: uncertain, is: kuscia.ErrUnavailable},
		"lost, faults":           {creates: []error{lost}, queries: []error{kind(kuscia.ErrServerFault)}, as: uncertain, is: kuscia.ErrServerFault},
		"lost and never there":   {creates: []error{lost}, queries: []error{kind(kuscia.ErrNotFound)}, as: uncertain, is: lost},
		"lost, exists, no trace": {creates: []error{lost, kind(kuscia.ErrExists)}, queries: []error{kind(kuscia.ErrNotFound)}, as: uncertain},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
			defer cancel()
			api := &fakeAPI{creates: test.creates, queries: test.queries}
			began := time.Now()
			err := create(ctx, api, &kuscia.CreateServingRequest{ServingID: "glm"}, false, sameContent)
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
			if err == nil || test.is != nil && !errors.Is(err, test.is) || test.as != nil && !test.as(err) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

// TestCreateCancelled: whoever cancels while the answer is out gets told
// whether the serving is there.
func TestCreateCancelled(t *testing.T) {
	t.Parallel()
	lost := lostAnswer(t)
	var uncertain *uncertainError
	for name, test := range map[string]struct {
		queries   []error
		uncertain bool
	}{
		"there":     {nil, false},
		"not there": {[]error{kind(kuscia.ErrNotFound)}, true},
		"no answer": {[]error{kind(kuscia.ErrUnavailable)}, true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		api := &fakeAPI{queries: test.queries, serving: &kuscia.Serving{}}
		api.creates = []error{lost}
		cancelling := &cancelOnCreate{fakeAPI: api, cancel: cancel}
		err := create(ctx, cancelling, &kuscia.CreateServingRequest{ServingID: "glm"}, false, sameContent)
		if errors.As(err, &uncertain) != test.uncertain || (err != nil) != test.uncertain {
			t.Errorf("%s: error is %v", name, err)
		}
		if api.queried != 1 || api.created != 1 {
			t.Errorf("%s: %d creates, %d queries", name, api.created, api.queried)
		}
	}
}

type cancelOnCreate struct {
	*fakeAPI
	cancel context.CancelFunc
}

func (c *cancelOnCreate) CreateServing(ctx context.Context, request *kuscia.CreateServingRequest) error {
	defer c.cancel()
	return c.fakeAPI.CreateServing(ctx, request)
}

// TestLastLookIsBounded: the one question after the end has a time limit of
// its own.
func TestLastLookIsBounded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var limit time.Time
	api := &fakeAPI{onQuery: func(ctx context.Context) { limit, _ = ctx.Deadline() }}
	if _, err := look(ctx, api, "glm"); err != nil {
		t.Errorf("error is %v", err)
	}
	if left := time.Until(limit); left <= 0 || left > lastLook {
		t.Errorf("the last question may take %s", left)
	}
}

// TestExistsErrorTellsWhatToDo: what differs, and both ways to import.
func TestExistsErrorTellsWhatToDo(t *testing.T) {
	t.Parallel()
	cause := kind(kuscia.ErrExists)
	err := error(&existsError{servingID: "glm", differences: []string{"initiator", "replicas of party bob/"}, cause: cause})
	for _, part := range []string{`"glm" exists already`, "initiator, replicas of party bob/", "terraform import kuscia_serving.NAME glm\n", "  import {\n    to = kuscia_serving.NAME\n    id = \"glm\"\n  }\n", "another serving_id"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no %q in %q", part, err)
		}
	}
	if !errors.Is(err, kuscia.ErrExists) {
		t.Error("the cause is lost")
	}
	if text := (&existsError{servingID: "glm"}).Error(); strings.Contains(text, "differs") {
		t.Errorf("without differences it says %q", text)
	}
}

// TestCreateOverTheWire: the same against a server that loses answers, with
// the client's own repetitions.
func TestCreateOverTheWire(t *testing.T) {
	t.Parallel()
	config := twoParties()
	request := answerRequest(t, config)
	stored := answerTo(config)
	other := answerTo(inParty(config, 0, replicas(7)))
	const gone = `kusciadeployments.kuscia.secretflow "glm" not found`
	for name, test := range map[string]struct {
		creates []reply
		queries []reply
		want    string // a part of the error
	}{
		"lost after the effect":  {[]reply{{drop: true}}, []reply{{data: stored}}, ""},
		"lost before the effect": {[]reply{{drop: true}, {}}, []reply{{code: 11601, message: gone}}, ""},
		"somebody else's":        {[]reply{{drop: true}}, []reply{{data: other}}, "replicas of party alice/"},
		"taken": {[]reply{{code: 11600, message: `serving "cross-domain/glm" already exists, please ensure that the name is not duplicated`}}, nil,
			"terraform import kuscia_serving.NAME glm"},
		"refused": {[]reply{{code: 11600, message: "resource min_cpu abc format is invalid"}}, nil, "format is invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var creates, queries int
			api := newScripted(t, func(path, _ string) reply {
				list, n := test.creates, &creates
				if path == queryPath {
					list, n = test.queries, &queries
				}
				*n++
				return list[min(*n-1, len(list)-1)]
			})
			err := create(t.Context(), api, request, false, func(s *kuscia.Serving) []string { return differences(stateOf(config), s, privateData{}) })
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q", err, test.want)
			}
			if n := api.asked(createPath); n != len(test.creates) {
				t.Errorf("%d creates, want %d", n, len(test.creates))
			}
		})
	}
}

func answerRequest(t *testing.T, config model) *kuscia.CreateServingRequest {
	t.Helper()
	answer := answerTo(config)
	return &kuscia.CreateServingRequest{ServingID: "glm", Initiator: answer.Initiator, ServingInputConfig: answer.ServingInputConfig, Parties: slices.Clone(answer.Parties)}
}

// TestCreateGivesUpOnLeftovers: Deployments that stay are another serving's, and
// waiting does not help.
func TestCreateGivesUpOnLeftovers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		err := create(t.Context(), &fakeAPI{creates: []error{kind(kuscia.ErrLeftover)}}, &kuscia.CreateServingRequest{ServingID: "glm"}, false, sameContent)
		if !errors.Is(err, kuscia.ErrLeftover) || time.Since(began) > 2*leftoverPatience {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}
