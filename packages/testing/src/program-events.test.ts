import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { followProgram } from './program-events.js'

const run = (code: string) =>
  followProgram(spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'pipe'] }), (line) => line)

it('gives the first event that fits, past or to come', async () => {
  const program = run('console.log(1); console.log(2); setTimeout(() => console.log(3), 20)')
  expect(await program.next((event) => event === 2)).toBe(2)
  expect(await program.next((event) => event === 1)).toBe(1)
  expect(await program.next((event) => event === 3)).toBe(3)
  expect(program.events).toEqual([1, 2, 3])
})

it('rejects with what the program said when it ends before', async () => {
  const program = run('console.log(1); console.error("no luck"); process.exitCode = 3')
  await expect(program.next((event) => event === 2)).rejects.toThrow(/ended before.*\[1\] no luck/)
  await expect(program.next((event) => event === 2)).rejects.toThrow(/ended before/)
})
