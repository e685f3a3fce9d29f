# The ID is namespace/name/step. Nothing is read: the step counts as approved.
terraform import kuscia_rollout_approval.xgb alice/xgb/1
