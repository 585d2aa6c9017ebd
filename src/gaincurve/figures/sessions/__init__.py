"""Sessions: what Figures 1 to 4 and Table 2 of the 2008 paper show, and what each query and reformulation gave."""
