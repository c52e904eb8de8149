// Debian's HDF5 can read files from Amazon's S3, for which it asks curl and OpenSSL, and those some thirty libraries more: five
// milliseconds at every start of a program that never does so. The archive of HDF5 is linked with these instead. They fail, so that a
// store "in S3" cannot be opened; the drivers for files on this machine do not call them.

#define TRUNNION_OFFLINE extern "C" __attribute__((visibility("hidden")))

TRUNNION_OFFLINE int curl_global_init(long) { return 2; }  // CURLE_FAILED_INIT
TRUNNION_OFFLINE void curl_global_cleanup() {}
TRUNNION_OFFLINE void* curl_easy_init() { return nullptr; }
TRUNNION_OFFLINE void curl_easy_cleanup(void*) {}
TRUNNION_OFFLINE int curl_easy_perform(void*) { return 2; }
TRUNNION_OFFLINE int curl_easy_setopt(void*, int, ...) { return 2; }
TRUNNION_OFFLINE void* curl_slist_append(void*, const char*) { return nullptr; }
TRUNNION_OFFLINE void curl_slist_free_all(void*) {}
TRUNNION_OFFLINE const void* EVP_sha256() { return nullptr; }
TRUNNION_OFFLINE unsigned char* HMAC(const void*, const void*, int, const unsigned char*, unsigned long,
                                     unsigned char*, unsigned int*) {
  return nullptr;
}
TRUNNION_OFFLINE unsigned char* SHA256(const unsigned char*, unsigned long, unsigned char*) {
  return nullptr;
}
