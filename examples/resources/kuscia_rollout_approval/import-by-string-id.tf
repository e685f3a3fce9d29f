import {
  to = kuscia_rollout_approval.xgb
  id = "alice/xgb/1"
}
