# R functions as methods, kernels, landmarks, measures and data of mercer: protocol 2 of
# docs/exec.md. A script has one or several of fit, kernel, landmarks, measure and data.
#
#     fit <- function(p) {
#         ...
#         list(indices = ..., coef = ..., values = ...)
#     }
#
# Put this file beside your program, and both into the command of the spec:
#
#     command: [Rscript, "{dir}/mercer.R", "{dir}/mine.R"]
#
# It needs R 3.6 and no package. What the function prints goes to standard error. An error
# fails the fit in hand and no other.

# mercer_json reads a line of JSON: outside texts it is R with other signs.
mercer_json <- function(line) {
    texts <- gregexpr('"(\\\\.|[^"\\\\])*"', line, perl = TRUE)
    signs <- regmatches(line, texts, invert = TRUE)[[1]]
    for (sign in list(c("[{", "list(list("), c("{", "list("), c("}", ")"), c("[", "c("), c("]", ")"), c(":", "="), c("true", "TRUE"), c("false", "FALSE"), c("null", "NULL")))
        signs <- gsub(sign[1], sign[2], signs, fixed = TRUE)
    eval(parse(text = paste0(signs, c(regmatches(line, texts)[[1]], ""), collapse = "")))
}

# mercer_text writes texts as JSON.
mercer_text <- function(x) {
    x <- gsub("[[:cntrl:]]+", " ", enc2utf8(as.character(x)))
    paste0('"', gsub('(["\\\\])', "\\\\\\1", x), '"')
}

mercer_read <- function(path) {
    file <- file(path, "rb")
    on.exit(close(file))
    size <- as.integer(readBin(file, "raw", 10))
    header <- rawToChar(readBin(file, "raw", size[9] + 256 * size[10]))
    numbers <- readBin(file, "double", file.size(path) / 8, endian = "little")
    matrix(numbers, ncol = as.integer(sub(".*, ([0-9]+)[)].*", "\\1", header)), byrow = TRUE)
}

mercer_write <- function(path, x) {
    shape <- if (is.matrix(x)) sprintf("True, 'shape': (%d, %d)", nrow(x), ncol(x)) else sprintf("False, 'shape': (%d,)", length(x))
    header <- sprintf("%-117s\n", paste0("{'descr': '<f8', 'fortran_order': ", shape, ", }"))
    file <- file(path, "wb")
    on.exit(close(file))
    writeBin(c(as.raw(c(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0)), charToRaw(header)), file)
    writeBin(as.double(x), file, endian = "little")
}

# mercer_over combines the differences of all pairs of points, coordinate by coordinate.
mercer_over <- function(a, b, each, combine, start)
    Reduce(combine, lapply(seq_len(ncol(a)), function(j) each(outer(a[, j], b[, j], "-"))), start)

# mercer_cosines is the sum of cos(pi i t) / i^power by the Bernoulli polynomial of that degree.
mercer_cosines <- function(t, power) {
    s <- (t / 2) %% 1
    if (power == 2) pi^2 * (s^2 - s + 1 / 6) else -pi^4 / 3 * (s^4 - 2 * s^3 + s^2 - 1 / 30)
}

mercer_series <- function(a, b, power = NULL, rho = NULL, eigenvalues = NULL) {
    if (!is.null(power) && power <= 4)
        return(mercer_cosines(outer(a[, 1], b[, 1], "-"), power) + mercer_cosines(outer(a[, 1], b[, 1], "+"), power))
    if (!is.null(rho)) eigenvalues <- rho^(1:(1 + floor(log(1e-17) / log(rho))))
    else if (!is.null(power)) eigenvalues <- (1:600)^-power # 6 or more: 600 terms leave 1e-14
    i <- pi * seq_along(eigenvalues)
    2 * cos(outer(a[, 1], i)) %*% (eigenvalues * cos(outer(i, b[, 1])))
}

mercer_kernels <- list(
    exec = function(a, b) mercer_own("kernel")(a, b),
    gaussian = function(a, b, gamma) exp(-gamma * mercer_over(a, b, function(d) d^2, `+`, 0)),
    laplace = function(a, b, sigma) exp(-mercer_over(a, b, abs, `+`, 0) / sigma),
    matern = function(a, b, nu, sigma) {
        r <- sqrt(2 * nu * mercer_over(a, b, function(d) d^2, `+`, 0)) / sigma
        switch(2 * nu, 1, NULL, 1 + r, NULL, 1 + r + r^2 / 3) * exp(-r)
    },
    cauchy = function(a, b, sigma) mercer_over(a, b, function(d) 1 / (1 + (d / sigma)^2), `*`, 1),
    `rational-quadratic` = function(a, b, alpha, sigma)
        (1 + mercer_over(a, b, function(d) d^2, `+`, 0) / (2 * alpha * sigma^2))^-alpha,
    chi2 = function(a, b, gamma) exp(-gamma * Reduce(`+`, lapply(seq_len(ncol(a)), function(j) {
        s <- outer(a[, j], b[, j], "+")
        outer(a[, j], b[, j], "-")^2 / ifelse(s == 0, 1, s)
    }))),
    intersection = function(a, b) Reduce(`+`, lapply(seq_len(ncol(a)), function(j) outer(a[, j], b[, j], pmin))),
    `arc-cosine` = function(a, b, order, depth) {
        lengths <- lapply(list(a, b), function(p) pmax(sqrt(rowSums(p^2)), 1e-300))
        u <- a / lengths[[1]]
        v <- b / lengths[[2]]
        squares <- function(v) mercer_over(u, v, function(d) d^2, `+`, 0)
        angles <- 2 * atan2(sqrt(squares(v)), sqrt(squares(-v)))
        if (order == 0) return(1 - angles / pi)
        for (layer in seq_len(depth)) {
            cosines <- (sin(angles) + (pi - angles) * cos(angles)) / pi
            angles <- acos(pmin(cosines, 1))
        }
        outer(lengths[[1]], lengths[[2]]) * cosines
    },
    periodic = function(a, b, period, sigma)
        exp(-2 * mercer_over(a, b, function(d) sin(pi * d / period)^2, `+`, 0) / sigma^2),
    cosine = function(a, b) cos(pi * (1 - mercer_kernels[["arc-cosine"]](a, b, 0, 1))),
    sum = function(a, b, of) Reduce(`+`, lapply(of, mercer_kernel, a, b)),
    product = function(a, b, of) Reduce(`*`, lapply(of, mercer_kernel, a, b)),
    scale = function(a, b, factor, of) factor * mercer_kernel(of[[1]], a, b),
    ntk = function(a, b, depth) {
        angles <- pi * (1 - mercer_kernels[["arc-cosine"]](a, b, 0, 1))
        value <- cos(angles)
        for (layer in seq_len(depth)) {
            value <- value * (1 - angles / pi)
            halves <- sin(angles / 2)^2 - (sin(angles) - angles * cos(angles)) / (2 * pi)
            angles <- 2 * asin(sqrt(pmax(halves, 0)))
            value <- value + cos(angles)
        }
        outer(sqrt(rowSums(a^2)), sqrt(rowSums(b^2))) * value
    },
    power = function(a, b, exponent, of) mercer_kernel(of[[1]], a, b)^exponent,
    normalise = function(a, b, of) {
        norms <- lapply(list(a, b), function(p) sqrt(apply(p, 1, function(x) mercer_kernel(of[[1]], t(x), t(x)))))
        product <- outer(norms[[1]], norms[[2]])
        mercer_kernel(of[[1]], a, b) / ifelse(product == 0, Inf, product)
    },
    lengthscales = function(a, b, lengthscales, of)
        mercer_kernel(of[[1]], sweep(a, 2, lengthscales, "/"), sweep(b, 2, lengthscales, "/")),
    linear = function(a, b) tcrossprod(a, b),
    polynomial = function(a, b, degree, gamma, offset) (gamma * tcrossprod(a, b) + offset)^degree,
    series = mercer_series
)

# mercer_kernel is the matrix of the kernel of a form.
mercer_kernel <- function(form, a, b)
    do.call(mercer_kernels[[form$name]], c(list(a, b), form[!names(form) %in% c("name", "formula")]))

# mercer_own is a function of the script.
mercer_own <- function(name) {
    serves <- get0(name, globalenv(), mode = "function", inherits = FALSE)
    if (is.null(serves)) stop("this script has no function ", name)
    serves
}

# mercer_problem is what a fit is given: an environment with the points X (n x dim), the
# kernel, the sizes n, dim, m, d, ell and k (NULL where there is none), the seed, threads,
# model, for a regression the responses y (n, or n x q where there are q of them), and with gram: true the kernel matrix.
mercer_problem <- function(request) {
    p <- list2env(request, parent = emptyenv())
    if (!is.null(p$x)) p$X <- mercer_read(file.path(p$dir, p$x))
    for (name in p$arrays) { # of a measure: sample and held_out are lists with X, coordinates, clusters, ...
        part <- strsplit(name, ".", fixed = TRUE)[[1]]
        x <- mercer_read(file.path(p$dir, name))
        if (part[2] %in% c("clusters", "labels")) x <- x + 1 # R counts from 1
        if (!part[2] %in% c("X", "coordinates", "predictions")) x <- as.vector(x)
        p[[part[1]]] <- c(p[[part[1]]], setNames(list(x), part[2]))
    }
    if (!is.null(p$y)) p$y <- drop(mercer_read(file.path(p$dir, p$y)))
    if (!is.null(p$gram)) p$gram <- mercer_read(file.path(p$dir, p$gram))
    p$form <- request$kernel
    p$kernel <- function(a, b) mercer_kernel(p$form, as.matrix(a), as.matrix(b))
    if (identical(p$form$name, "precomputed")) p$kernel <- function(a, b) p$gram[match(a, p$X), match(b, p$X), drop = FALSE]
    p$seconds <- list()
    p$phase <- function(name, value) { # times what gives the value: gram, factor, embed or solve
        began <- Sys.time()
        force(value)
        p$seconds[[name]] <- sum(p$seconds[[name]], max(0, difftime(Sys.time(), began, units = "secs")))
        value
    }
    set.seed(p$seed, "default", "default", "default")
    p
}

# mercer_numbers writes numbers by name as JSON, NA and NULL as null.
mercer_numbers <- function(x) {
    text <- vapply(x, function(v) if (is.null(v) || is.na(v)) "null" else format(as.numeric(v), digits = 17), "")
    paste0("{", paste0(mercer_text(names(x)), ":", text, collapse = ","), "}")
}

mercer_answer <- function(p, result) {
    if (length(p$seconds) > 0) result$seconds <- p$seconds
    fields <- vapply(names(result), function(key) {
        x <- result[[key]]
        if (key == "seconds")
            return(paste0("{", paste0(mercer_text(names(x)), ":", format(unlist(x), digits = 9, scientific = FALSE, trim = TRUE), collapse = ","), "}"))
        if (key == "warnings") return(paste0("[", paste0(mercer_text(x), collapse = ","), "]"))
        if (key == "error") return(mercer_text(x))
        if (is.function(x)) {
            assign(key, x, mercer_calls)
            return("true")
        }
        if (is.logical(x)) return(if (x) "true" else "false")
        if (key == "iterations") return(format(x, scientific = FALSE))
        x <- if (key %in% c("coef", "points", "centers", "center_coef", "image", "kernel")) as.matrix(x) else as.vector(t(x))
        if (key %in% c("indices", "labels")) x <- as.numeric(x) - 1 # R counts from 1
        mercer_write(file.path(p$dir, paste0(key, ".npy")), x)
        mercer_text(paste0(key, ".npy"))
    }, "")
    paste0("{", paste0(mercer_text(names(result)), ":", fields, collapse = ","), "}")
}

# mercer_quietly has all that is printed go to standard error.
mercer_quietly <- function(value) {
    sink(stderr())
    on.exit(while (sink.number() > 0) sink())
    force(value)
}

# mercer_calls are the functions map, assign and predict of the last fit.
mercer_calls <- new.env()

# mercer_request has a function of the script (fit, kernel, landmarks, measure, data), or what fit returned for
# other points.
mercer_request <- function(request) {
    call <- if (is.null(request$call)) "fit" else request$call
    of_fit <- c(map = "image", assign = "labels", predict = "values")
    if (call %in% names(of_fit)) {
        result <- list(mercer_calls[[call]](mercer_read(file.path(request$dir, request$x))))
        names(result) <- of_fit[[call]]
        return(mercer_answer(list(dir = request$dir), result))
    }
    serves <- mercer_own(call)
    if (call == "kernel") {
        ab <- lapply(c(request$x, request$y), function(file) mercer_read(file.path(request$dir, file)))
        return(mercer_answer(list(dir = request$dir), list(kernel = serves(ab[[1]], ab[[2]]))))
    }
    p <- mercer_problem(request)
    if (call == "data") {
        drawn <- serves(p)
        return(mercer_answer(list(dir = request$dir), if (is.list(drawn)) drawn else list(points = drawn)))
    }
    if (call == "measure") return(paste0('{"metrics":', mercer_numbers(serves(p)), "}"))
    if (call == "landmarks") return(mercer_answer(list(dir = request$dir), list(indices = serves(p))))
    rm(list = ls(mercer_calls), envir = mercer_calls)
    result <- serves(p)
    mercer_answer(p, result)
}

mercer_serve <- function() {
    requests <- file("stdin", "r")
    repeat {
        cat('{"ready":2}\n')
        line <- readLines(requests, 1)
        if (length(line) == 0) break
        answer <- tryCatch(mercer_quietly(mercer_request(mercer_json(line))), error = function(e) {
            message(e)
            paste0('{"error":', mercer_text(conditionMessage(e)), "}")
        })
        cat(answer, "\n", sep = "")
    }
}

options(warn = 1) # warnings belong to the fit in hand
mercer_quietly(source(commandArgs(TRUE)[1]))
mercer_serve()
