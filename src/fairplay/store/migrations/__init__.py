"""How the tables of a store came to be, step by step; each step is one module of `versions`."""
