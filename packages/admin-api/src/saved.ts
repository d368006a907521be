/** Changes of the home's files, as the app hears of those that can't be made. */
import { EngineError } from '@leuria/protocol'
import { StateError } from '@leuria/state'

/**
 * A change that has to be on disk before it is answered. The app's user can act on a full disk or a folder without
 * permissions, so they are told.
 * @throws EngineError `internal_error` with the words of the file's part
 */
export async function saved<Value>(change: Promise<Value>): Promise<Value> {
  try {
    return await change
  } catch (error) {
    if (error instanceof StateError) throw new EngineError('internal_error', error.message, { cause: error })
    throw error
  }
}
