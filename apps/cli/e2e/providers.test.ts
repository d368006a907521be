/** `leuria providers`: what it saves, what it shows, what it refuses. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCli, temporaryHome } from './cli-process.js'

const containing = (text: string): unknown => expect.stringContaining(text)

it('saves, lists and removes services, and never prints a key', async () => {
  await using home = await temporaryHome()
  const options = { home: home.path }
  expect(await runCli(['providers'], options)).toMatchObject({
    code: 0,
    stdout: containing('No services'),
  })

  const added = await runCli(['providers', 'add', 'My Server', '127.0.0.1:8080', '--key-stdin'], {
    ...options,
    stdin: 'sk-secret\n',
  })
  expect(added).toMatchObject({ code: 0, stdout: containing('my-server') })
  await runCli(['providers', 'add', 'Other', 'https://api.example.com/v1/', '--key', 'sk-other'], options)
  const saved: unknown = JSON.parse(await readFile(join(home.path, 'providers.json'), 'utf8'))
  expect(saved).toMatchObject({
    version: 1,
    providers: [
      { id: 'my-server', kind: 'openai', name: 'My Server', baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'sk-secret' },
      { id: 'other', baseUrl: 'https://api.example.com/v1', apiKey: 'sk-other' },
    ],
  })
  expect((await stat(join(home.path, 'providers.json'))).mode & 0o777).toBe(0o600)

  const listed = await runCli(['providers', 'list', '--json'], options)
  expect(JSON.parse(listed.stdout)).toMatchObject({
    providers: [{ id: 'my-server', hasApiKey: true }, { id: 'other' }],
  })
  expect(added.stdout + listed.stdout + (await runCli(['providers'], options)).stdout).not.toContain('sk-')

  expect(await runCli(['providers', 'remove', 'other'], options)).toMatchObject({ code: 0 })
  expect(await runCli(['providers', 'remove', 'other'], options)).toMatchObject({
    code: 1,
    stderr: containing('no saved service'),
  })
})

it.each([
  [['add', '日本', 'http://127.0.0.1:1'], /can't be made into an id/],
  [['add', 'x', 'ftp://127.0.0.1'], /not an address/],
  [['add', 'x', 'http://'], /not an address/],
  [['add', 'x', 'http://127.0.0.1', '--key', 'a b'], /characters/],
  [['add', 'x', 'http://127.0.0.1', '--key', 'a', '--key-stdin'], /once/],
  [['add', 'x'], /missing required argument/],
])('refuses %j with a plain line', async (args, words) => {
  await using home = await temporaryHome()
  const refused = await runCli(['providers', ...args], { home: home.path })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(words)
  expect(refused.stderr).not.toContain('    at ')
})
