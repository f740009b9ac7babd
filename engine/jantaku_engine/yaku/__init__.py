"""Yaku: the facts they ask for, the catalogue, and the catalogue under one ruleset."""
