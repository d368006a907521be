/** A program that has nothing to do but start and end an agent three times. Prints a line when it got to its end. */
import { openBox } from './index.js'

const box = await openBox({ scratchParent: process.argv[2] ?? '', sandbox: process.argv[3] === 'sandbox' })
for (let round = 0; round < 3; round += 1) {
  const { signal } = new AbortController()
  const agent = await box.launch({ command: '/bin/cat', args: [], env: {}, sessionId: 's', signal })
  await agent.kill()
}
await box.close()
console.log('done')
