package review

// OnlyInState are the attributes of all types that no request has and on which nothing acts: an update of
// them alone is one of the state.
var OnlyInState = []string{
	"allow_removal_of", "check_application", "follow_app_image", "force_conflicts", "force_destroy", "progress_deadline",
	"promote_on_destroy", "rollout_complete", "timeouts", "wait_for_deploy_token", "wait_for_healthy", "wait_for_ready", "wait_for_rollout",
}

// sends reports whether a change of an object is more than one of the state.
func (o object) sends() bool { return o.action != Update || o.changesBeside(OnlyInState...) }
