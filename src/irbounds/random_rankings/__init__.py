"""What chance alone scores: random rankings, their scores' distribution, and ties."""
