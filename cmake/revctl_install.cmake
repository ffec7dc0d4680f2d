# The package that find_package(revctl) finds.
