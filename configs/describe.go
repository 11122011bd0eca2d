package configs

import (
	"fmt"
	"reflect"
	"strings"
)

// key is one key of a mapping, for a reader.
type key struct {
	Name  string
	Takes string   // what fits, with its limits, its default, and whether it is required
	Doc   string   // the doc tag
	Words []string // that it takes, if it takes no other
	Keys  []key    // of a nested mapping
	Items []key    // of the mappings in a list
	Named []key    // of the mappings under names
}

// Describer says in words what a type with a form of its own takes.
type Describer interface {
	Takes(tag reflect.StructTag) string
}

// Describe lists the keys of an options struct for a reader, a line each: the
// key, what it takes, its limits, its default when the struct holds one, and
// its doc tag. Keys of nested mappings are written decay.power.
//
//	ridge: a number, at least 0, default 1e-08. Added to the diagonal.
func Describe(options any) []string {
	if options == nil {
		return nil
	}
	v := settled(reflect.ValueOf(options))
	return lines(keysOf(v.Type(), v), "")
}

func lines(keys []key, prefix string) (all []string) {
	for _, k := range keys {
		line := prefix + k.Name + ": " + k.Takes
		if k.Doc != "" {
			line += ". " + k.Doc
		}
		all = append(append(all, line), lines(k.Keys, prefix+k.Name+".")...)
	}
	return all
}

// keysOf are the keys of a struct; the fields of defaults, when it is valid, are default values.
func keysOf(t reflect.Type, defaults reflect.Value) (keys []key) {
	for _, f := range fieldsOf(t) {
		k := key{Name: f.key, Doc: f.tag.Get("doc"), Takes: takes(f.typ, f.tag)}
		if f.typ.Kind() == reflect.String && f.tag.Get("enum") != "" {
			k.Words = strings.Split(f.tag.Get("enum"), ",")
		}
		standard := reflect.Zero(f.typ)
		if defaults.IsValid() {
			standard = defaults.FieldByIndex(f.index)
		}
		if f.typ.Kind() == reflect.Pointer {
			standard = settled(standard)
		}

		if mapping := mappingIn(f.typ); mapping != nil {
			switch f.typ.Kind() {
			case reflect.Slice:
				k.Items = keysOf(mapping, reflect.Value{})
			case reflect.Map:
				k.Named = keysOf(mapping, reflect.Value{})
			default:
				k.Keys = keysOf(mapping, standard)
			}
			if word, ok := fieldsOf(mapping).byKey(blankTag(mapping, "word")); ok && k.Keys != nil {
				standard = standard.FieldByIndex(word.index)
			}
		}
		if kind := standard.Kind(); (kind <= reflect.Float64 || kind == reflect.String) && !standard.IsZero() {
			k.Takes += fmt.Sprintf(", default %v", standard)
		}
		if f.tag.Get("required") == "true" {
			k.Takes += ", required"
		}
		keys = append(keys, k)
	}
	return keys
}

// mappingIn is the struct that a value, or each of its entries, is decoded into by its keys; nil for none.
func mappingIn(t reflect.Type) reflect.Type {
	if _, own := reflect.New(t).Interface().(NodeDecoder); own {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return mappingIn(t.Elem())
	case reflect.Struct:
		return t
	}
	return nil
}

// takes says in words what fits a type, with the limits of a tag.
func takes(t reflect.Type, tag reflect.StructTag) string {
	if t.Kind() == reflect.Pointer {
		return takes(t.Elem(), tag)
	}
	switch own := reflect.New(t).Interface().(type) {
	case Describer:
		return own.Takes(tag)
	case NodeDecoder:
		return "a word or a mapping"
	}
	text := ""
	switch k := t.Kind(); {
	case t == durationType:
		return `a duration such as "90s", or 0`
	case k == reflect.Struct:
		if word, ok := fieldsOf(t).byKey(blankTag(t, "word")); ok {
			return takes(word.typ, word.tag) + ", or a mapping"
		}
		return "a mapping"
	case k == reflect.Slice:
		return "a list, each " + takes(t.Elem(), tag)
	case k == reflect.Map:
		return "a mapping"
	case k == reflect.Bool:
		return "true or false"
	case k == reflect.String && tag.Get("enum") != "":
		return "one of " + strings.ReplaceAll(tag.Get("enum"), ",", ", ")
	case k == reflect.String:
		return "text"
	case k == reflect.Float32 || k == reflect.Float64:
		text = "a number"
	default:
		text = "a whole number"
	}
	for _, limit := range limits {
		if bound := tag.Get(limit.tag); bound != "" {
			text += ", " + limit.words + " " + bound
		}
	}
	return text
}
