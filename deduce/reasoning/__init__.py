"""What is asked and answered: viewpoints on a log, queries, explanations, alternatives, doubts."""
