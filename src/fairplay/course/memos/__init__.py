"""The five design memos, each a thin layer over a rule book.  Nothing imports them."""
