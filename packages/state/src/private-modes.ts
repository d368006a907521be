/** Who may look into what is written here: the user, and nobody else. */

/** Permissions of every file here. */
export const PRIVATE_FILE_MODE = 0o600
/** Permissions of every folder here. */
export const PRIVATE_FOLDER_MODE = 0o700
