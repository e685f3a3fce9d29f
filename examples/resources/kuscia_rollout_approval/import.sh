# The ID is namespace/name/step. Nothing is read: the step counts as approved.
terraform import -var 'approved={image="xgb-2",step=1}' 'kuscia_rollout_approval.xgb[0]' alice/xgb/1
