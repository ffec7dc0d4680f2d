// What a static libgit2 asks of ssh, TLS, Kerberos and the resolver. revctl opens no connection
// through libgit2: the network is the user's git's business. So they start, and every connection
// fails. Debian has no archive of Kerberos, and each of them makes every start of revctl slower.
#include <netdb.h>
#include <pwd.h>

extern "C" {

// C links by name alone, so none of them needs its parameters.
#define REVCTL_ANSWER(result, name) \
  long name();                      \
  long name() { return result; }

// libssh2
REVCTL_ANSWER(0, libssh2_init)
REVCTL_ANSWER(0, libssh2_exit)
REVCTL_ANSWER(-1, libssh2_agent_connect)
REVCTL_ANSWER(-1, libssh2_agent_disconnect)
REVCTL_ANSWER(0, libssh2_agent_free)
REVCTL_ANSWER(-1, libssh2_agent_get_identity)
REVCTL_ANSWER(0, libssh2_agent_init)
REVCTL_ANSWER(-1, libssh2_agent_list_identities)
REVCTL_ANSWER(-1, libssh2_agent_userauth)
REVCTL_ANSWER(-1, libssh2_channel_close)
REVCTL_ANSWER(0, libssh2_channel_free)
REVCTL_ANSWER(0, libssh2_channel_open_ex)
REVCTL_ANSWER(-1, libssh2_channel_process_startup)
REVCTL_ANSWER(-1, libssh2_channel_read_ex)
REVCTL_ANSWER(-1, libssh2_channel_set_blocking)
REVCTL_ANSWER(-1, libssh2_channel_write_ex)
REVCTL_ANSWER(0, libssh2_hostkey_hash)
REVCTL_ANSWER(-1, libssh2_knownhost_checkp)
REVCTL_ANSWER(0, libssh2_knownhost_free)
REVCTL_ANSWER(0, libssh2_knownhost_init)
REVCTL_ANSWER(-1, libssh2_knownhost_readfile)
REVCTL_ANSWER(0, libssh2_session_abstract)
REVCTL_ANSWER(-1, libssh2_session_disconnect_ex)
REVCTL_ANSWER(0, libssh2_session_free)
REVCTL_ANSWER(-1, libssh2_session_handshake)
REVCTL_ANSWER(0, libssh2_session_hostkey)
REVCTL_ANSWER(0, libssh2_session_init_ex)
REVCTL_ANSWER(-1, libssh2_session_last_error)
REVCTL_ANSWER(-1, libssh2_session_method_pref)
REVCTL_ANSWER(-1, libssh2_session_set_blocking)
REVCTL_ANSWER(-1, libssh2_userauth_authenticated)
REVCTL_ANSWER(-1, libssh2_userauth_keyboard_interactive_ex)
REVCTL_ANSWER(0, libssh2_userauth_list)
REVCTL_ANSWER(-1, libssh2_userauth_password_ex)
REVCTL_ANSWER(-1, libssh2_userauth_publickey)
REVCTL_ANSWER(-1, libssh2_userauth_publickey_fromfile_ex)
REVCTL_ANSWER(-1, libssh2_userauth_publickey_frommemory)

// Kerberos: any status but 0 is a failure.
extern void* GSS_C_NT_HOSTBASED_SERVICE;
void* GSS_C_NT_HOSTBASED_SERVICE = nullptr;
REVCTL_ANSWER(1, gss_delete_sec_context)
REVCTL_ANSWER(1, gss_display_status)
REVCTL_ANSWER(1, gss_import_name)
REVCTL_ANSWER(1, gss_indicate_mechs)
REVCTL_ANSWER(1, gss_init_sec_context)
REVCTL_ANSWER(1, gss_release_buffer)
REVCTL_ANSWER(1, gss_release_name)
REVCTL_ANSWER(1, gss_release_oid_set)

// mbedTLS: libgit2 sets it up when it is initialised.
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
REVCTL_ANSWER(0, mbedtls_ssl_config_init)
REVCTL_ANSWER(0, mbedtls_ssl_free)
// Where it knows no cipher, libgit2 gives up being initialised, and dies at the first pack.
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

// A static glibc loads plug-ins of the machine's glibc for these two. Another version may crash it.
int getaddrinfo(const char*, const char*, const addrinfo*, addrinfo**) { return EAI_FAIL; }
void freeaddrinfo(addrinfo*) {}
/// libgit2 asks only where HOME is not set. git itself then has no home either.
int getpwuid_r(uid_t, passwd*, char*, size_t, passwd** found) {
  *found = nullptr;
  return 0;
}
}
