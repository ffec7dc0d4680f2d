// Stubs for the ssh, Kerberos and resolver functions that a static libgit2 links to. revctl uses
// the user's git for network access, so in these stubs, initialization succeeds and connections
// fail. Debian has no static Kerberos library, and libssh2 would pull in all of OpenSSL.
#include <mbedtls/ssl.h>
#include <netdb.h>
#include <pwd.h>

extern "C" {

// The C linker resolves functions by name alone, so the stubs need no parameters.
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

// Kerberos functions: any status other than 0 is a failure
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

#undef REVCTL_ANSWER

/// libgit2 reads this struct and frees it at exit, so it must be initialized. The other TLS stubs
/// are in no_tls.cpp.
void mbedtls_ssl_config_init(mbedtls_ssl_config* config) { *config = {}; }

// In a static program, the real functions would load plug-ins of the installed glibc, which may
// crash.
int getaddrinfo(const char*, const char*, const addrinfo*, addrinfo**) { return EAI_FAIL; }
void freeaddrinfo(addrinfo*) {}
/// libgit2 calls this function only if HOME is not set. In that case, git cannot find a home folder
/// either.
int getpwuid_r(uid_t, passwd*, char*, size_t, passwd** found) {
  *found = nullptr;
  return 0;
}
}
