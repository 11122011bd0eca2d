package sections

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// SiteRun is a run of a site: its name is its path below the site's runs, and its report
// lies at Page below the site's folder, "" where it has none.
type SiteRun struct {
	NamedRun
	Plots   []configs.Plot // say which metric matters
	Answers []claims.Answer
	Budgets []budget.Comparison
	Page    string
}

// Site is the first page of a site: what each run asks and answers, the newest first, and a
// search over their texts. history is the path of the page of histories, "" for none.
func Site(title string, runs []SiteRun, history string) page.Page {
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b SiteRun) int { return cmp.Compare(b.Run.Manifest.Started, a.Run.Manifest.Started) })
	var p page.Page
	p.Heading(1, page.Escape(title))
	text := "Each report is one file. " + plain.Count(len(runs), "run") + ", the newest first."
	if history != "" {
		text += " " + page.Link(history, "How metrics went over time") + "."
	}
	p.Para("%s", text)
	var found []page.Found
	var rows [][]string
	for _, r := range runs {
		m := r.Run.Manifest
		title := page.Escape(cmp.Or(m.Title, m.Experiment))
		if m.Profile != "" {
			title += " (" + page.Escape(m.Profile) + ")"
		}
		link, head := linkTo(r.Page), title
		if link != "" {
			head = page.Link(link, title)
		}
		answer := page.Escape(append(Said(r.Run, r.Verdicts, r.Plots, r.Answers, r.Budgets), "")[0])
		rows = append(rows, []string{head, cmp.Or(outcomeCounts(r.Verdicts), format.None), cmp.Or(answer, format.None), cmp.Or(page.Escape(m.Question), format.None),
			page.Code(r.Name), page.Escape(m.Started), page.Code(format.Short(m.Commit))})
		found = append(found, page.Found{Title: title, Link: link, Text: cmp.Or(answer, page.Escape(m.Question)), Words: searchWords(r)})
	}
	p.Search(found)
	p.Heading(2, "Runs")
	p.Table("lllllll", []string{"Run", "Verdicts", "Answer", "Question", "Folder", "Started", "Commit"}, rows)
	return p
}

// linkTo is the address of a file below the folder of the page.
func linkTo(file string) string {
	if file == "" {
		return ""
	}
	parts := strings.Split(path.Clean(file), "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// searchWords are what a run is found by beside its answer.
func searchWords(r SiteRun) []string {
	m := r.Run.Manifest
	all := []string{r.Name, m.Experiment, m.Profile, m.Source, m.Question, m.Commit}
	for cell := range results.ByCell(r.Run.Records) {
		all = append(all, cell[0].Dataset, cell[0].Kernel, cell[0].Method)
	}
	for _, v := range r.Verdicts {
		all = append(all, v.Claim, v.Says, v.Words(), v.Theorem)
	}
	return lists.Where(lists.Once(all), func(word string) bool { return word != "" })
}
