// libgit2 built with mbedTLS (Debian's) reads every certificate of the system when it is
// initialised: a fifth of the time that a merge of a list of 10,000 revisions takes. revctl never
// opens a connection through libgit2 (the user's git does), so it reads none; with none, a
// connection that were opened all the same would trust no peer. Weak: a program that links mbedTLS
// itself keeps its own.
struct mbedtls_x509_crt;

extern "C" __attribute__((weak, visibility("default"))) int mbedtls_x509_crt_parse_file(
    mbedtls_x509_crt* chain, const char* path);
extern "C" int mbedtls_x509_crt_parse_file(mbedtls_x509_crt*, const char*) { return 0; }
