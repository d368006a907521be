/** The few texts that the protocol page fixes word by word, so that a client or a test may compare them. */

/** A request whose Host is not one of the two allowed forms (Conventions, Host). */
export const HOST_NOT_ALLOWED = 'host not allowed'
/** An Origin that is not http: or https: (Conventions, Callers). */
export const ORIGIN_NOT_ALLOWED = 'origin not allowed'
/** A body that can't be read as JSON (Conventions, Bodies). */
export const INVALID_JSON_BODY = 'Invalid JSON body'
