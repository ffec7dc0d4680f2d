// Replaces mbedTLS's certificate loader. libgit2 built with mbedTLS (as in Debian) reads all system
// certificates during initialization, which takes a fifth of the time needed to merge a list of
// 10,000 revisions. revctl runs the user's git for network access, so it never opens a connection
// through libgit2. Such a connection would fail, because there are no trusted certificates. The
// symbol is weak, so a program that links mbedTLS itself keeps the real function.
struct mbedtls_x509_crt;

extern "C" __attribute__((weak, visibility("default"))) int mbedtls_x509_crt_parse_file(
    mbedtls_x509_crt* chain, const char* path);
extern "C" int mbedtls_x509_crt_parse_file(mbedtls_x509_crt*, const char*) { return 0; }
