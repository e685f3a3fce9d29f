# The ID is namespace/name.
terraform import kuscia_rollout.glm alice/glm
