package theory

func skp() []Theorem { return nil }
