/** Whose site it is; also what the visitor is asked about in Leuria. */
export const SITE_NAME = 'Small Kiln'
