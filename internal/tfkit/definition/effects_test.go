package definition

import (
	"reflect"
	"testing"
	"time"
)

// TestEffects: replacements come first, what sends nothing after the updates, and all other
// attributes last.
func TestEffects(t *testing.T) {
	t.Parallel()
	schema := Schema{
		Attributes: []Attribute{
			{Name: "wait", Type: Bool, Presence: Optional, Local: true},
			{Name: "text", Presence: Optional, WriteOnly: true, Effect: "pods restart"},
			{Name: "name", Replace: Always},
			{Name: "columns", Type: ObjectList, Presence: Optional, Replace: ReplaceWhenEmptied("Removing them replaces it. More."), Attributes: []Attribute{
				{Name: "name", Effect: "pods restart"},
			}},
			{Name: "mode", Replace: AlwaysBecause("It cannot change. More.")},
			{Name: "other", Presence: Optional},
			{Name: "status", Presence: Computed},
		},
		Timeouts: Timeouts{Create: time.Minute},
	}
	want := []Effect{
		{Attributes: []string{"name"}, Result: EffectReplaced},
		{Attributes: []string{"mode"}, Result: "replaced. It cannot change"},
		{Attributes: []string{"text", "text_wo_version", "columns.name"}, Result: "pods restart"},
		{Attributes: []string{"text_wo"}, Result: "nothing without a new version"},
		{Attributes: []string{"columns"}, Result: "updated in place, or replaced: Removing them replaces it"},
		{Attributes: []string{"wait", "timeouts"}, Result: EffectLocal},
		{Result: EffectInPlace},
	}
	if got := New(schema).Effects(false); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if all := New(schema).Effects(true); all[len(all)-1].Result != EffectReplaced {
		t.Errorf("an object without updates: %+v", all)
	}
}
