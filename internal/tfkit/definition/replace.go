package definition

// Replace says which differences of an attribute replace the object, and why,
// for the user. The zero value is none.
type Replace struct {
	when func(prior, planned Value) bool
	why  string
}

// Always replaces with every difference. The attribute explains itself.
var Always = Replace{when: func(_, _ Value) bool { return true }}

// When replaces where a condition is met. why is shown as a warning with the
// plan; it says what the server cannot do. planned may be unknown: the condition
// is met if some value that it may come to have needs a replacement, since
// Terraform refuses an apply that replaces what was planned to stay.
func When(why string, condition func(prior, planned Value) bool) Replace {
	return Replace{when: condition, why: why}
}

// WhenEmptied replaces where a value becomes empty or absent, or may come to be,
// because the server keeps what it has when it gets nothing.
func WhenEmptied(why string) Replace {
	return When(why, func(prior, planned Value) bool { return !IsEmpty(prior) && (!planned.IsKnown() || IsEmpty(planned)) })
}
