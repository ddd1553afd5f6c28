// Generates the libraries of other languages from the schema of the plugin, with the generators of Pulumi: the CLI's own command needs
// the language hosts. Binding the schema is what the registry does first: it refuses what is none.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"

	dotnetgen "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3/codegen"
	javagen "github.com/pulumi/pulumi-java/pkg/codegen/java"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	pygen "github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "edge-policy"

var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return gogen.GeneratePackage(tool, pkg, nil)
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return pygen.GeneratePackage(tool, pkg, nil, nil)
	},
	"dotnet": func(pkg *schema.Package) (map[string][]byte, error) {
		return dotnetgen.GeneratePackage(tool, pkg, nil, nil)
	},
	"java": func(pkg *schema.Package) (map[string][]byte, error) {
		return javagen.GeneratePackage(tool, pkg, nil, nil, false, false)
	},
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	check(err)
	var spec schema.PackageSpec
	check(json.Unmarshal(text, &spec))
	if spec.LogoURL == "" {
		http.DefaultTransport = blankLogo{}
	}
	for language, generate := range generators {
		// Each generator changes what it is given.
		files, err := generate(bind(spec))
		check(err)
		write(language, files)
	}
}

// The generator for .NET fetches Pulumi's logo where a package has none of its own: a blank one takes its place, so that nothing is
// fetched.
type blankLogo struct{}

func (blankLogo) RoundTrip(*http.Request) (*http.Response, error) {
	var logo bytes.Buffer
	err := png.Encode(&logo, image.NewRGBA(image.Rect(0, 0, 64, 64)))
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(&logo)}, err
}

// Whatever the binding complains of is a failure, a warning too.
func bind(spec schema.PackageSpec) *schema.Package {
	pkg, diags, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	check(err)
	for _, d := range diags {
		fmt.Fprintln(os.Stderr, d)
	}
	if len(diags) > 0 {
		os.Exit(1)
	}
	return pkg
}

func write(language string, files map[string][]byte) {
	for name, data := range files {
		file := filepath.Join(os.Args[2], language, name)
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
