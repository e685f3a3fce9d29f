package clients

import (
	"reflect"
	"testing"
)

func planned(id string, config uint64, creates bool, parties ...PlannedParty) PlannedServing {
	return PlannedServing{ServingID: id, Config: config, Creates: creates, Parties: parties}
}

func at(domain, deployment, prefix string) PlannedParty {
	return PlannedParty{DomainID: domain, DeploymentName: deployment, ServicePrefix: prefix}
}

// TestPlannedServings covers the clashes in the order in which Terraform plans:
// a serving is kept or created; one that is replaced on request is first
// planned as kept and then as created.
func TestPlannedServings(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before PlannedServing
		after  PlannedServing
		want   []ClashKind
	}{
		"two creations of an id":                    {planned("a", 1, true), planned("a", 2, true), []ClashKind{SameServingID}},
		"two creations alike, as of count":          {planned("a", 1, true), planned("a", 1, true), []ClashKind{SameServingID}},
		"a creation after a kept one":               {planned("a", 1, false), planned("a", 2, true), []ClashKind{SameServingID}},
		"a replacement on request":                  {planned("a", 1, false), planned("a", 1, true), nil},
		"unknown configurations":                    {planned("a", 0, false), planned("a", 0, true), nil},
		"a kept one after a creation":               {planned("a", 1, true), planned("a", 1, false), []ClashKind{SameServingID}},
		"two kept ones":                             {planned("a", 1, false, at("d", "a", "p")), planned("b", 2, false, at("d", "b", "p")), nil},
		"other ids":                                 {planned("a", 1, true), planned("b", 1, true), nil},
		"unknown ids":                               {planned("", 1, true), planned("", 2, true), nil},
		"one prefix":                                {planned("a", 1, true, at("d", "a", "p")), planned("b", 2, true, at("d", "b", "p")), []ClashKind{SameServicePrefix}},
		"one prefix, one kept":                      {planned("a", 1, false, at("d", "a", "p")), planned("b", 2, true, at("d", "b", "p")), []ClashKind{SameServicePrefix}},
		"one prefix in two domains":                 {planned("a", 1, true, at("d", "a", "p")), planned("b", 2, true, at("e", "b", "p")), nil},
		"prefix of a replacement":                   {planned("a", 1, false, at("d", "a", "p")), planned("a", 1, true, at("d", "a", "p")), nil},
		"one Deployment, and so one prefix":         {planned("a", 1, true, at("d", "a-b", "a-b")), planned("a-b", 2, true, at("d", "a-b", "a-b")), []ClashKind{SameDeployment}},
		"one id, and so all else":                   {planned("a", 1, true, at("d", "a", "a")), planned("a", 2, true, at("d", "a", "a")), []ClashKind{SameServingID}},
		"two prefixes":                              {planned("a", 1, true, at("d", "a", "p"), at("e", "a", "q")), planned("b", 2, true, at("e", "b", "q"), at("d", "b", "p")), []ClashKind{SameServicePrefix, SameServicePrefix}},
		"a serving with one prefix for two parties": {planned("a", 1, true), planned("b", 1, true, at("d", "b", "p"), at("d", "b-x", "p")), nil},
		"unknown parties":                           {planned("a", 1, true, PlannedParty{}), planned("b", 1, true, PlannedParty{}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := NewPlannedServings()
			if clashes := p.Record(test.before); len(clashes) > 0 {
				t.Errorf("the first clashes with %v", clashes)
			}
			var got []ClashKind
			for _, clash := range p.Record(test.after) {
				got = append(got, clash.Kind)
				if clash.Other.ServingID != test.before.ServingID {
					t.Errorf("clashes with %q", clash.Other.ServingID)
				}
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("clashes %v, want %v", got, test.want)
			}
		})
	}
}

// TestPlannedServingsCreated: a created serving may be planned again by the
// same provider process.
func TestPlannedServingsCreated(t *testing.T) {
	t.Parallel()
	p := NewPlannedServings()
	p.Record(planned("a", 1, true, at("d", "a", "p")))
	p.Record(planned("b", 2, true, at("e", "b", "p")))
	p.ForgetCreation("a", false)
	if clashes := p.Record(planned("a", 1, false, at("d", "a", "p"))); len(clashes) > 0 {
		t.Errorf("the created serving clashes with its own creation: %v", clashes)
	}
	if clashes := p.Record(planned("c", 3, true, at("e", "c", "p"))); len(clashes) != 1 {
		t.Errorf("another creation was forgotten: %v", clashes)
	}
}

// TestPlannedServingsNotedTwice: a kept serving is recorded once, however often
// it is planned.
func TestPlannedServingsNotedTwice(t *testing.T) {
	t.Parallel()
	p := NewPlannedServings()
	for range 3 {
		p.Record(planned("a", 1, false, at("d", "a", "p")))
	}
	if clashes := p.Record(planned("b", 2, true, at("d", "b", "p"))); len(clashes) != 1 {
		t.Errorf("one serving clashes %d times", len(clashes))
	}
}
