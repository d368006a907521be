/** What takes long, as the engine tells it: a bar where bytes are known, else words. */
import { useWindow } from '../state/use-window.js'

const MEGABYTE = 1_000_000

export function ProgressBar({ id }: { id: string }) {
  const progress = useWindow((state) => state.progress)
  if (progress === null || (progress.id !== undefined && progress.id !== id)) return null
  const { receivedBytes, totalBytes, message } = progress
  const isKnown = receivedBytes !== undefined && totalBytes !== undefined && totalBytes > 0
  return (
    <div className="progress" role="status">
      <p>
        {message}
        {receivedBytes !== undefined && ` (${(receivedBytes / MEGABYTE).toFixed(1)} MB)`}
      </p>
      {isKnown ? (
        <progress max={totalBytes} value={receivedBytes} aria-label={message} />
      ) : (
        <progress aria-label={message} />
      )}
    </div>
  )
}
