// Generates the libraries of Go and Python from the schema of the plugin, with the generators of the CLI: its own command needs the
// language hosts. Binding the schema is what the registry does first: it refuses what is none.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	pygen "github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	check(err)
	var spec schema.PackageSpec
	check(json.Unmarshal(text, &spec))
	// Each generator changes what it is given.
	fs, err := gogen.GeneratePackage("edge-policy", bind(spec), nil)
	check(err)
	write("go", fs)
	fs, err = pygen.GeneratePackage("edge-policy", bind(spec), nil, nil)
	check(err)
	write("python", fs)
}

func bind(spec schema.PackageSpec) *schema.Package {
	pkg, diags, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	check(err)
	for _, d := range diags {
		fmt.Println(d)
	}
	if diags.HasErrors() {
		os.Exit(1)
	}
	return pkg
}

func write(lang string, fs map[string][]byte) {
	for name, data := range fs {
		file := filepath.Join(os.Args[2], lang, name)
		check(os.MkdirAll(filepath.Dir(file), 0o755))
		check(os.WriteFile(file, data, 0o644))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
