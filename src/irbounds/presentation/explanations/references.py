"""The papers and books that explanations name, by a short key."""

from __future__ import annotations

__all__ = ["REFERENCES"]

REFERENCES: dict[str, str] = {
    "agresti1998": (
        "Agresti, A. and Coull, B. A. (1998). Approximate is better than “exact” for interval "
        "estimation of binomial proportions. The American Statistician 52(2), 119-126."
    ),
    "benjamini1995": (
        "Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate: a practical "
        "and powerful approach to multiple testing. Journal of the Royal Statistical Society, "
        "Series B 57(1), 289-300."
    ),
    "bestgen2015": (
        "Bestgen, Y. (2015). Exact expected average precision of the random baseline for system "
        "evaluation. The Prague Bulletin of Mathematical Linguistics 103, 131-138."
    ),
    "brown2001": (
        "Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Interval estimation for a binomial "
        "proportion. Statistical Science 16(2), 101-133."
    ),
    "carterette2012": (
        "Carterette, B. (2012). Multiple testing in statistical analysis of systems-based "
        "information retrieval experiments. ACM Transactions on Information Systems 30(1)."
    ),
    "clopper1934": (
        "Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits "
        "illustrated in the case of the binomial. Biometrika 26(4), 404-413."
    ),
    "davison1997": (
        "Davison, A. C. and Hinkley, D. V. (1997). Bootstrap methods and their application. "
        "Cambridge University Press."
    ),
    "diciccio1996": (
        "DiCiccio, T. J. and Efron, B. (1996). Bootstrap confidence intervals. Statistical "
        "Science 11(3), 189-228."
    ),
    "dyer1993": (
        "Dyer, D. and Pierce, R. L. (1993). On the choice of the prior distribution in "
        "hypergeometric sampling. Communications in Statistics: Theory and Methods 22(8)."
    ),
    "efron1979": (
        "Efron, B. (1979). Bootstrap methods: another look at the jackknife. The Annals of "
        "Statistics 7(1), 1-26."
    ),
    "efron1987": (
        "Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American "
        "Statistical Association 82(397), 171-185."
    ),
    "efron1993": (
        "Efron, B. and Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman and "
        "Hall."
    ),
    "fisher1935": "Fisher, R. A. (1935). The design of experiments. Oliver and Boyd.",
    "gneiting2007": (
        "Gneiting, T. and Raftery, A. E. (2007). Strictly proper scoring rules, prediction, and "
        "estimation. Journal of the American Statistical Association 102(477), 359-378."
    ),
    "hanley2006": (
        "Hanley, J. A. and MacGibbon, B. (2006). Creating non-parametric bootstrap samples using "
        "Poisson frequencies. Computer Methods and Programs in Biomedicine 83(1), 57-62."
    ),
    "hedin2009": (
        "Hedin, B., Tomlinson, S., Baron, J. R. and Oard, D. W. (2009). Overview of the TREC 2009 "
        "Legal Track. Proceedings of the 18th Text Retrieval Conference."
    ),
    "holm1979": (
        "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian "
        "Journal of Statistics 6(2), 65-70."
    ),
    "johnson1995": (
        "Johnson, N. L., Kotz, S. and Balakrishnan, N. (1995). Continuous univariate "
        "distributions, volume 2, second edition. Wiley."
    ),
    "koopman1984": (
        "Koopman, P. A. R. (1984). Confidence intervals for the ratio of two binomial "
        "proportions. Biometrics 40(2), 513-517."
    ),
    "mcsherry2008": (
        "McSherry, F. and Najork, M. (2008). Computing information retrieval performance measures "
        "efficiently in the presence of tied scores. Advances in Information Retrieval (ECIR "
        "2008), 414-421."
    ),
    "park2010": (
        "Park, L. A. F. (2010). Confidence intervals for information retrieval evaluation. "
        "Proceedings of the 15th Australasian Document Computing Symposium."
    ),
    "park2011": (
        "Park, L. A. F. (2011). Bootstrap confidence intervals for mean average precision. "
        "Proceedings of the Fourth Annual ASEARC Conference."
    ),
    "sakai2006": (
        "Sakai, T. (2006). Evaluating evaluation metrics based on the bootstrap. Proceedings of "
        "SIGIR 2006, 525-532."
    ),
    "satterthwaite1946": (
        "Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance "
        "components. Biometrics Bulletin 2(6), 110-114."
    ),
    "smucker2007": (
        "Smucker, M. D., Allan, J. and Carterette, B. (2007). A comparison of statistical "
        "significance tests for information retrieval evaluation. Proceedings of CIKM 2007, "
        "623-632."
    ),
    "student1908": "Student (1908). The probable error of a mean. Biometrika 6(1), 1-25.",
    "urbano2019": (
        "Urbano, J., Lima, H. and Hanjalic, A. (2019). Statistical significance testing in "
        "information retrieval: an empirical analysis of type I, type II and type III errors. "
        "Proceedings of SIGIR 2019, 505-514."
    ),
    "webber2008": (
        "Webber, W., Moffat, A. and Zobel, J. (2008). Score standardization for inter-collection "
        "comparison of retrieval systems. Proceedings of SIGIR 2008, 51-58."
    ),
    "webber2013": (
        "Webber, W. (2013). Approximate recall confidence intervals. ACM Transactions on "
        "Information Systems 31(1)."
    ),
    "welch1947": (
        "Welch, B. L. (1947). The generalization of “Student's” problem when several different "
        "population variances are involved. Biometrika 34(1/2), 28-35."
    ),
    "westfall1993": (
        "Westfall, P. H. and Young, S. S. (1993). Resampling-based multiple testing. Wiley."
    ),
    "wilcoxon1945": (
        "Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin "
        "1(6), 80-83."
    ),
    "wilson1927": (
        "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical "
        "inference. Journal of the American Statistical Association 22(158), 209-212."
    ),
    "zobel2020": (
        "Zobel, J. and Rashidi, L. (2020). Corpus bootstrapping for assessment of the properties "
        "of effectiveness measures. Proceedings of CIKM 2020. https://doi.org/10.1145/"
        "3340531.3411998"
    ),
}
