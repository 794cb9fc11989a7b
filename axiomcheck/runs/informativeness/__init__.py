"""How much of a list a measure's value tells: probabilities of relevance by maximum entropy, and what they predict."""
