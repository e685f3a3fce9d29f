// Package tfsdk stands in for the framework's package of this name.
package tfsdk

import "context"

type State struct{ Raw any }

func (s *State) Set(context.Context, any) error                  { return nil }
func (s *State) SetAttribute(context.Context, string, any) error { return nil }
func (s *State) Get(context.Context, any) error                  { return nil }
