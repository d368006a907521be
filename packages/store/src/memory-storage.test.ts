import { memoryStorage } from './memory-storage.js'
import { storageContract } from './storage-contract.fixture.js'

storageContract('memory', () => {
  const storage = memoryStorage()
  return Promise.resolve({ storage, reopen: () => Promise.resolve(storage) })
})
