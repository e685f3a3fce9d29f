package httpapi

import (
	"context"
	"slices"
)

type keepSecretKey struct{}

// WithMaskedText returns a context whose calls mask a text, such as a
// serving_input_config, in errors and logs. It is for a text that is not part
// of the request but known to the server, which might repeat it.
func WithMaskedText(ctx context.Context, text string) context.Context {
	if len(text) < minMaskedText {
		return ctx
	}
	before, _ := ctx.Value(keepSecretKey{}).([]string)
	return context.WithValue(ctx, keepSecretKey{}, append(before[:len(before):len(before)], text))
}

// secretsIn are the texts of WithMaskedText in a context.
func secretsIn(ctx context.Context) []string {
	texts, _ := ctx.Value(keepSecretKey{}).([]string)
	return texts
}

// WithMaskedTextsOf returns a context that also masks the texts of other contexts:
// one request may concern objects of several callers.
func WithMaskedTextsOf(ctx context.Context, others []context.Context) context.Context {
	var all []string
	for _, other := range append([]context.Context{ctx}, others...) {
		all = append(all, secretsIn(other)...)
	}
	if len(all) == 0 {
		return ctx
	}
	slices.Sort(all)
	return context.WithValue(ctx, keepSecretKey{}, slices.Compact(all))
}

// HasMaskedTexts reports whether a context has texts of WithMaskedText.
func HasMaskedTexts(ctx context.Context) bool { return len(secretsIn(ctx)) > 0 }

// MaskerOf masks the texts of WithMaskedText in a context.
func MaskerOf(ctx context.Context) Masker { return Masker{}.With(secretsIn(ctx)...) }
