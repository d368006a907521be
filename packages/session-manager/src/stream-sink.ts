/** Where a stream's text goes. The engine makes one from an HTTP response: headers and sockets are its business. */

export interface StreamSink {
  /** The stream is accepted: send the headers now. Called once, before anything else. */
  open(): void
  /** Takes whole events to send. False: it has enough, and says so through `onDrain` when it wants more. */
  write(text: string): boolean
  /** Nothing more comes: end after what was written. */
  end(): void
  /** The reader doesn't read: cut the connection, what is buffered included. */
  destroy(): void
  /** Registers the one listener for "wants more". Called once, before `write`. */
  onDrain(listener: () => void): void
}
