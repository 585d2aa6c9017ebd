"""What is known of search sessions: their rules, their logs, and several systems on the same ones."""
