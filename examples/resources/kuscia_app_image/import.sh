# The ID is the name.
terraform import kuscia_app_image.serving secretflow-serving
