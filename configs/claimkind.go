package configs

// ClaimKind is one kind of claim: a pointer to the struct under its key. Every
// field of Claim that is a pointer is a kind.
type ClaimKind interface {
	// Picked is the selection of records that the claim is about.
	Picked() *Selection
	// Quantity is what the claim reads from records; without text where the
	// claim's theorem says that.
	Quantity() Quantity
	// Confidence is where the confidence level stands; it is 0 before defaults.
	Confidence() *float64

	compared() Words // ids of the methods that are compared with each other; nil for none
	values() []Value // numbers and expressions
	check(c *checker, where string)
}

// Judgement is how sure the verdict on a claim must be. Kinds embed it, and say
// themselves what they compare and which values they have.
type Judgement struct {
	Level float64 `yaml:"level" min:"0.5" below:"1" doc:"Confidence level; 0.95 when left out."`
}

// Confidence is where the confidence level stands.
func (j *Judgement) Confidence() *float64 { return &j.Level }

func (j *Judgement) compared() Words { return nil }

func (j *Judgement) values() []Value { return nil }
