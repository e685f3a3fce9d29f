// Package clients stands for that of the provider.
package clients

func AddError(summary string, err error) {}
