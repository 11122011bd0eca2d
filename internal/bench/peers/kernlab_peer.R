# The side of kernlab: reads one task a line from standard input, with its points and the
# number of the random start, and answers with one JSON line: seconds of the work alone, and
# the labels of the clusters. kernlab's own Gram matrix counts, as mercer's does.
suppressMessages(library(kernlab))
folder <- commandArgs(TRUE)[1]
gamma <- c(images = 1 / 104, dense = 1 / 1568)
cat(sprintf('{"version": "%s, kernlab %s"}\n', R.version.string, packageVersion("kernlab")))
flush(stdout())
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
    words <- strsplit(line, " ")[[1]]
    rows <- readBin(file.path(folder, words[1]), "double", 1000 * 784, endian = "little")
    x <- matrix(rows, 1000, 784, byrow = TRUE)
    kernel <- rbfdot(sigma = gamma[[words[1]]])
    set.seed(as.integer(words[3]))
    begun <- proc.time()[["elapsed"]]
    labels <- switch(words[2],
        kpca = { kpca(x, kernel = kernel, features = 10); integer(0) },
        kkmeans = as.integer(kkmeans(x, centers = 10, kernel = kernel)))
    seconds <- proc.time()[["elapsed"]] - begun
    cat(sprintf('{"seconds": %f, "check": [%s]}\n', seconds, paste(labels, collapse = ",")))
    flush(stdout())
}
