/** Whether an address is this computer's own: what goes there never touches a network. */

/** 127.0.0.0/8 as the URL parser writes it (RFC 1122 §3.2.1.3). */
const IPV4_LOOPBACK = /^127(\.\d{1,3}){3}$/

/** By the address alone: `localhost`, 127.0.0.0/8 and `[::1]`. Anything else, and anything that isn't http(s), is not. */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return hostname === 'localhost' || hostname === '[::1]' || IPV4_LOOPBACK.test(hostname)
}
