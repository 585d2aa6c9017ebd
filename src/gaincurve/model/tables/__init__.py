"""Results as rows and columns: typed once, and from there frames, Arrow, files, text and HTML."""
