// Package function stands in for the framework's package of this name.
package function

type Parameter interface{ isParameter() }

type Definition struct {
	Parameters                                []Parameter
	Summary, Description, MarkdownDescription string
}

type StringParameter struct{ Name, Description, MarkdownDescription string }

type SetParameter struct{ Name, Description, MarkdownDescription string }

func (StringParameter) isParameter() {}
func (SetParameter) isParameter()    {}
