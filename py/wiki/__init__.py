"""Retrieval and reading over a wiki of Markdown pages. Standard library only."""
