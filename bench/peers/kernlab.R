# R's kernlab: ksvm with the rbf kernel. The width is kernlab's own estimate (sigest, kpar = "automatic"), C one of
# 2^-2, 2^0 .. 2^10 by 5-fold cross-validation on all rows, PROCESSES of them at a time, then trained on all rows.
#
#     Rscript kernlab.R FOLDER PROCESSES all [quick]
#
# reads train.npy, train.y, test.npy, split.json; writes result.json, prediction.txt
given <- commandArgs(TRUE)
folder <- given[1]
processes <- as.integer(given[2])
if (!requireNamespace("kernlab", quietly = TRUE)) {
    message("kernlab (r-cran-kernlab) is not installed")
    quit(status = 77)
}
suppressPackageStartupMessages(library(kernlab))

read_npy <- function(path, rows) { # float64 by rows, as numpy writes them
    con <- file(path, "rb")
    on.exit(close(con))
    readBin(con, "raw", 8)
    readBin(con, "raw", readBin(con, "integer", 1, size = 2, endian = "little"))
    matrix(readBin(con, "double", file.size(path) / 8, endian = "little"), nrow = rows, byrow = TRUE)
}

input <- function(name) file.path(folder, name)
y <- scan(input("train.y"), quiet = TRUE)
X <- read_npy(input("train.npy"), length(y))
new <- read_npy(input("test.npy"), length(readLines(input("test.y"))))
classes <- grepl('"task": "classes"', readLines(input("split.json"), warn = FALSE)[1])
target <- if (classes) factor(y) else y
set.seed(1)
sigma <- sigest(X, scaled = FALSE)[[2]]
grid <- 2^seq(-2, 10, if (length(given) > 3) 6 else 2)

train <- function(C, folds) {
    ksvm(X, target, type = if (classes) "C-svc" else "eps-svr", kernel = "rbfdot", kpar = list(sigma = sigma), C = C,
         scaled = FALSE, cross = folds)
}
held_out <- function(C) {
    set.seed(1) # the same folds for every C
    cross(train(C, 5))
}
errors <- unlist(parallel::mclapply(grid, held_out, mc.cores = processes, mc.preschedule = FALSE))
best <- grid[which.min(errors)]
machine <- train(best, 0)
used <- function() sum(proc.time()[c(1, 2, 4, 5)])
start <- c(proc.time()[[3]], used())
found <- predict(machine, new)
shown <- if (classes) as.character(found) else format(as.vector(found), digits = 10, trim = TRUE)
writeLines(shown, input("prediction.txt"))
spent <- c(proc.time()[[3]], used()) - start
cat(sprintf(paste0('{"machine": "ksvm rbf", "chosen": "C=%g sigma=%.4g cv=%.5g", "note": "sigest, %d values of C", ',
                   '"predict_seconds": %.4f, "predict_cpu": %.4f}\n'),
            best, sigma, min(errors), length(grid), spent[1], spent[2]), file = input("result.json"))
