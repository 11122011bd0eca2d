package cmd

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestLists: docs/methods.md and the like are what the registries say; -update writes them.
func TestLists(t *testing.T) {
	for _, kind := range []string{"methods", "measures", "theorems", "data", "kernels"} {
		list, err := listings[kind]()
		if err != nil {
			t.Fatal(err)
		}
		text := introductions[kind] + markdownText(list)
		file := "../docs/" + kind + ".md"
		if *update {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if had, err := os.ReadFile(file); err != nil || string(had) != text {
			t.Errorf("%s is out of date: make generate (%v)", file, err)
		}
	}
}

// introductions stand before the lists of docs.
var introductions = map[string]string{
	"kernels": "# Kernels\n\n[Examples](spec.md#kernels): a length scale for each coordinate (ARD), sums and products, networks of infinite " +
		"width (arc-cosine, NTK), histograms (chi2, intersection), graph kernels and other matrices of your own (`use: precomputed`).\n\n" +
		"\"In the units of the data\" means standard deviations of a coordinate where the data set has `standardize: true`.\n\n",
	"measures": "# Measures\n\nSymbols: Σ is the covariance operator of the kernel on H under the population (where points are held out, or " +
		"are a test part, of these N points), centred at its mean m_P = E k(·,X); λ_i are its eigenvalues. A model has ℓ functions φ̂_i, orthonormal in H, " +
		"P̂ projects onto their span, and m̂ is its centre: the sample's mean (1/n)Σ k(·,X_i), or 0 under `center: none`. Then S = [⟨φ̂_i,Σφ̂_j⟩] (ℓ×ℓ), τ = tr(P̂Σ²) and " +
		"δ_i = ⟨φ̂_i, m_P - m̂⟩: the population's mean less the model's, projected. " +
		"R and T are sums of two parts. The projection part, tr Σ - tr S of R and tr Σ² - 2τ + ‖S‖² of T, is what the subspace loses. The mean part, ‖δ‖² of R and δᵀSδ of T, " +
		"is what the error of the mean costs: of order 1/n, and nearly the same for all methods whose subspaces are nearly the same. With few points or an unbounded kernel it can be most of " +
		"T: then compare `recon_l2_projection`. Random features have the same in their space.\n\n",
}

// firstWord is an ordinary word at the beginning: not m or tr, no name with an underscore and
// no function before its argument.
var firstWord = regexp.MustCompile(`^(a|[a-z]{3,})[ ,'-]`)

// markdownText is a section an item. A description begins with a capital letter, if it begins
// with a word.
func markdownText(list []item) string {
	var sections []string
	for _, i := range list {
		doc := i.Doc
		if firstWord.MatchString(doc) {
			doc = strings.ToUpper(doc[:1]) + doc[1:]
		}
		text := fmt.Sprintf("## %s\n\n%s.\n\n", i.Name, doc)
		for _, aspect := range aspects {
			if i.About[aspect] != "" {
				text += fmt.Sprintf("- %s: %s\n", aspect, i.About[aspect])
			}
		}
		for _, c := range i.Checks {
			text += fmt.Sprintf("- checked by `%s`\n", c)
		}
		for _, p := range i.Parameters {
			name, rest, _ := strings.Cut(p, ": ")
			text += fmt.Sprintf("- `%s`: %s\n", name, rest)
		}
		sections = append(sections, text)
	}
	return strings.Join(sections, "\n")
}
