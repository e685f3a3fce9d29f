import {
  to = kuscia_rollout_approval.xgb[0]
  id = "alice/xgb/1"
}
