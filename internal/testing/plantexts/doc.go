// Package plantexts tests what the CLI prints of plans of every resource, as a reviewer reads it;
// those of servings are in resource/serving. It has tests only.
package plantexts
