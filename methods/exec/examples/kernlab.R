# kernlab as methods of mercer: mercer.R kernlab.R kpca | kkmeans
suppressMessages(library(kernlab))

# Kernel PCA on all points: mercer's ekpca with center: v. kernlab's components have norm
# 1 / sqrt(n) in H.
kpca_fit <- function(p) {
    gram <- p$phase("gram", as.kernelMatrix(p$kernel(p$X, p$X)))
    model <- p$phase("solve", kpca(gram, features = p$ell))
    list(coef = pcv(model) / sqrt(p$n), values = eig(model), centered = TRUE)
}

# Kernel k-means from random labels. A centre is the mean of its points in H.
kkmeans_fit <- function(p) {
    gram <- p$phase("gram", as.kernelMatrix(p$kernel(p$X, p$X)))
    labels <- p$phase("solve", as.integer(kkmeans(gram, centers = p$k)))
    members <- outer(labels, 1:p$k, "==")
    list(labels = labels, center_coef = t(t(members) / colSums(members)))
}

fit <- list(kpca = kpca_fit, kkmeans = kkmeans_fit)[[commandArgs(TRUE)[2]]]
