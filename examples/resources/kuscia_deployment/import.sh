# The ID is the name of the KusciaDeployment.
terraform import kuscia_deployment.glm glm
