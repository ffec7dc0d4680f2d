// Stubs for the mbedTLS functions that a static libgit2 links to. The real TLS initialization reads
// every certificate on the machine, which takes as long as the rest of revctl's startup. The C
// linker resolves functions by name, so the stubs need no parameters. They are in a separate file,
// because they would conflict with the declarations in the mbedTLS headers.
extern "C" {

#define REVCTL_ANSWER(result, name) \
  long name();                      \
  long name() { return result; }

REVCTL_ANSWER(0, mbedtls_ctr_drbg_free)
REVCTL_ANSWER(0, mbedtls_ctr_drbg_init)
REVCTL_ANSWER(-1, mbedtls_ctr_drbg_random)
REVCTL_ANSWER(0, mbedtls_ctr_drbg_seed)
REVCTL_ANSWER(0, mbedtls_entropy_free)
REVCTL_ANSWER(-1, mbedtls_entropy_func)
REVCTL_ANSWER(0, mbedtls_entropy_init)
REVCTL_ANSWER(-1, mbedtls_ssl_close_notify)
REVCTL_ANSWER(0, mbedtls_ssl_conf_authmode)
REVCTL_ANSWER(0, mbedtls_ssl_conf_ca_chain)
REVCTL_ANSWER(0, mbedtls_ssl_conf_ciphersuites)
REVCTL_ANSWER(0, mbedtls_ssl_conf_min_version)
REVCTL_ANSWER(0, mbedtls_ssl_conf_rng)
REVCTL_ANSWER(0, mbedtls_ssl_config_defaults)
REVCTL_ANSWER(0, mbedtls_ssl_config_free)
REVCTL_ANSWER(0, mbedtls_ssl_free)
// Must return a cipher, because libgit2's initialization would fail otherwise, and libgit2 would
// crash when it opens the first pack.
REVCTL_ANSWER(1, mbedtls_ssl_get_ciphersuite_id)
REVCTL_ANSWER(0, mbedtls_ssl_get_peer_cert)
REVCTL_ANSWER(-1, mbedtls_ssl_get_verify_result)
REVCTL_ANSWER(-1, mbedtls_ssl_handshake)
REVCTL_ANSWER(0, mbedtls_ssl_init)
REVCTL_ANSWER(-1, mbedtls_ssl_read)
REVCTL_ANSWER(0, mbedtls_ssl_set_bio)
REVCTL_ANSWER(-1, mbedtls_ssl_set_hostname)
REVCTL_ANSWER(-1, mbedtls_ssl_setup)
REVCTL_ANSWER(-1, mbedtls_ssl_write)
REVCTL_ANSWER(0, mbedtls_strerror)
REVCTL_ANSWER(0, mbedtls_x509_crt_free)
REVCTL_ANSWER(0, mbedtls_x509_crt_init)
REVCTL_ANSWER(0, mbedtls_x509_crt_parse_file)
REVCTL_ANSWER(0, mbedtls_x509_crt_parse_path)
REVCTL_ANSWER(-1, mbedtls_x509_crt_verify_info)

#undef REVCTL_ANSWER
}
