// Package message stands for that of the provider.
package message

func AddError(summary string, err error) {}
