"""Tables of record batches: frames of any library, Parquet, Arrow files; their ids stay bytes, row by row."""
