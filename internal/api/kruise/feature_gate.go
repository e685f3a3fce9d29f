package kruise

// FeatureGateHint is what to check if a release in place gets no pods of the new version:
// without this feature gate, its first step never ends.
const FeatureGateHint = "that kruise-rollout-controller-manager runs with the feature gate AdvancedDeployment (--feature-gates=AdvancedDeployment=true)"

// Hint returns, as the end of a sentence, what to check if the release stays as it is; ""
// for nothing.
func (r Release) Hint() string {
	if !r.InPlace || r.State != StepInProgress || r.Beginning || r.StepState != StepUpgrade || r.UpdatedReplicas > 0 {
		return ""
	}
	return "if it stays so, check " + FeatureGateHint
}
