package definition

// Replace declares which changes of an attribute replace the object, and a
// warning that explains why. The zero value is none.
type Replace struct {
	when   func(prior, planned Value) bool
	always bool
	why    string
}

// Always replaces on every change, without a warning.
var Always = AlwaysBecause("")

// AlwaysBecause replaces on every change, with a warning that explains why.
func AlwaysBecause(why string) Replace {
	return Replace{when: func(_, _ Value) bool { return true }, always: true, why: why}
}

// IsAlways reports whether every change replaces the object.
func (r Replace) IsAlways() bool { return r.always }

// Why is the warning that explains a replacement.
func (r Replace) Why() string { return r.why }

// ReplaceWhen replaces if the condition is met. why is the warning in the plan, which
// explains what the server cannot do. planned may be unknown: the condition is
// then met if any possible value needs a replacement, since Terraform does not
// allow an apply to replace an object that the plan keeps.
func ReplaceWhen(why string, condition func(prior, planned Value) bool) Replace {
	return Replace{when: condition, why: why}
}

// ReplaceWhenEmptied replaces if a value becomes, or may become, empty or null: the
// server keeps the old value if the request has none.
func ReplaceWhenEmptied(why string) Replace {
	return ReplaceWhen(why, func(prior, planned Value) bool { return !IsEmpty(prior) && (!planned.IsKnown() || IsEmpty(planned)) })
}
