import { expect, it } from 'vitest'
import * as names from './index.js'

it('exports what the README names, and the codes that others act on', () => {
  expect(Object.keys(names).sort()).toEqual([
    'INSTALL_STAGES',
    'REGISTRY_ERROR_CODES',
    'REGISTRY_URL',
    'RegistryError',
    'SIGN_IN_STATES',
    'openAgentRegistry',
    'openSignIns',
    'parseCommandLine',
    'terminalSignIn',
  ])
  expect(names.REGISTRY_ERROR_CODES).toEqual([
    'unknown_agent',
    'not_for_this_computer',
    'needs_newer_node',
    'needs_program',
    'offline',
    'unverified',
    'wrong_checksum',
    'bad_package',
    'install_failed',
    'cancelled',
    'invalid',
    'taken',
  ])
  expect(names.INSTALL_STAGES).toEqual(['waiting', 'fetching', 'unpacking', 'checking', 'done'])
})
