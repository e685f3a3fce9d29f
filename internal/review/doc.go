// Package review says what a plan of Terraform or OpenTofu does to a
// federation, for those who review it: as Markdown for a pull request, as text
// for a terminal, as JSON for programs, and as a gate that refuses plans.
//
// A plan is read (package plan) into objects whose values hide what is sensitive. They are compared
// all the same, and what is known after apply counts as the worst that it may be (certainty): a gate
// must not pass harm because a value hides it. Objects of two Kuscias are told apart by their provider
// configurations (planconfig), and a replacement by an object of another identity is two objects
// (plan.Parted). Build makes a Report of them: what happens to servings, grants,
// routes and the rest, a file for each. The renderers write a report only by
// phrases, whose values are escaped for the target (package phrase); a text of a
// plan cannot become part of the markup. The other parts:
//
//	category     what a gate may refuse, by attribute of each resource
//	appconfig    the model and the features in the configuration text of a serving
//	strategy     what an update strategy leaves running
//	grantlimit   the limits of grants
//	place        what decides where granted data is
//	quantity     sums of quantities of Kubernetes
//	share        what each part of a review has of a comment
//	textdiff     what changes in a long text
//	owners       who is asked for a domain, from a CODEOWNERS file
//	warnings     warnings and errors from the log of plan -json
//	graph        the graph, and its form in Mermaid's language
package review
