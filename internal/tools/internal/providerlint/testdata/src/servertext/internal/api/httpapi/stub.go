// Package httpapi stands for that of the provider.
package httpapi

type Masker struct{}

func (Masker) Text(s string) string { return s }

func Text(s string) string { return s }
