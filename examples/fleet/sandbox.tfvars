servings = {
  glm = { model = "glm-1", parties = { alice = { replicas = 2 }, bob = { replicas = 2 } } }
  xgb = { model = "xgb-1", parties = { alice = {} } }
}
