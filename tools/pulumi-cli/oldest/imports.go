//go:build tools

// Package tools names what is built, so that `go mod tidy` keeps its requirements in go.mod and go.sum.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
