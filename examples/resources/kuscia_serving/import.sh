# The ID is the serving_id.
terraform import kuscia_serving.glm glm
