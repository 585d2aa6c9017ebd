"""Statistics on plain arrays: is a difference real, how large is it, how many topics does it take.

Pure functions, one idea a module; a matrix of scores has one row per topic and one column per system. What is random
takes a `seed` and gives the same bits for the same seed on every machine. `gaincurve.compare` puts them together.
"""

from gaincurve.stats.anova import Anova, anova, tukey
from gaincurve.stats.corrections import ADJUSTMENTS, adjusted
from gaincurve.stats.effects import cohen_dz, hedges_g, practical, wins_ties_losses
from gaincurve.stats.friedman import Friedman, conover, friedman, nemenyi
from gaincurve.stats.intervals import Interval, bootstrap_interval, bootstrap_test, t_interval
from gaincurve.stats.judges import cohen_kappa, cross_table, krippendorff_alpha
from gaincurve.stats.orders import kendall_tau, rank_biased_overlap, tau_ap
from gaincurve.stats.paired import paired_t, sign_test, wilcoxon
from gaincurve.stats.permuted import randomised_tukey
from gaincurve.stats.power import detectable_difference, power, topics_needed
from gaincurve.stats.signflip import max_t, sign_flip
from gaincurve.stats.studentized import studentized_range_quantile, studentized_range_sf
from gaincurve.stats.unpaired import Welch, cohen_d, hedges_unpaired, welch_t

__all__ = [
    "ADJUSTMENTS",
    "Anova",
    "Friedman",
    "Interval",
    "Welch",
    "adjusted",
    "anova",
    "bootstrap_interval",
    "bootstrap_test",
    "cohen_d",
    "cohen_dz",
    "cohen_kappa",
    "conover",
    "cross_table",
    "detectable_difference",
    "friedman",
    "hedges_g",
    "hedges_unpaired",
    "kendall_tau",
    "krippendorff_alpha",
    "max_t",
    "nemenyi",
    "paired_t",
    "power",
    "practical",
    "randomised_tukey",
    "rank_biased_overlap",
    "sign_flip",
    "sign_test",
    "studentized_range_quantile",
    "studentized_range_sf",
    "t_interval",
    "tau_ap",
    "topics_needed",
    "tukey",
    "welch_t",
    "wilcoxon",
    "wins_ties_losses",
]
