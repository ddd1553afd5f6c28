@node "%~dp0pulumi-resource-edge-policy" %*
