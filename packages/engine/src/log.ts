/** Lines for the person who runs the engine. Never content, never secrets. */

export interface Log {
  /** Something that the person may want to know or act on. */
  warn: (text: string) => void
  /** Only with `-v`. */
  debug: (text: string) => void
}

export const noLog: Log = { warn: () => undefined, debug: () => undefined }
