// What libgit2 would call to talk to servers over SSH, or to log in with Kerberos. hwsift only reads objects, so
// that these say no; libgit2's own ones would link OpenSSL and more into the program. The names are libgit2's.
enum { kPassThrough = -30 };  // GIT_PASSTHROUGH of git2/errors.h

int git_smart_subtransport_ssh(void** out, void* owner, void* param);
int git_transport_ssh_with_paths(void** out, void* owner, void* payload);
int git_transport_ssh_global_init(void);
int git_http_auth_negotiate(void** out, const void* url);

int git_smart_subtransport_ssh(void** out, void* owner, void* param) {
  (void)owner;
  (void)param;
  *out = 0;
  return -1;
}

int git_transport_ssh_with_paths(void** out, void* owner, void* payload) {
  return git_smart_subtransport_ssh(out, owner, payload);
}

int git_transport_ssh_global_init(void) { return 0; }

int git_http_auth_negotiate(void** out, const void* url) {
  (void)url;
  *out = 0;
  return kPassThrough;
}
