/** Phones and tablets, where there is no Leuria to connect to. */

/** iPads say they are Macs; what gives them away is that they can be touched. */
export function isHandheld({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /iPhone|iPad|iPod|Android/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}
