double sqrt(double), pow(double, double), fabs(double), floor(double), ceil(double), sin(double), cos(double), log(double), exp(double);
