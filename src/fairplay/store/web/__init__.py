"""What web servers keep: tables with their matches, boards, who they are and who their owner is."""
