"""An appendix: the test programs of the established protocols, and five design memos by other teams."""
