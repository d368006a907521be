import { expect, it } from 'vitest'
import * as names from './index.js'

it('exports what the README names', () => {
  expect(Object.keys(names).sort()).toEqual(['PROOF_FAULTS', 'allowedEnvironment', 'findProgram', 'openBox'])
  expect(names.PROOF_FAULTS).toEqual([
    'no_sandbox',
    'not_started',
    'probe_failed',
    'home_readable',
    'processes_visible',
    'writes_outside',
    'switched_off',
  ])
})
