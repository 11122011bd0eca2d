package theory

func nyk() []Theorem { return nil }
