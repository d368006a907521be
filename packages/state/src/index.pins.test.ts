import { expect, it } from 'vitest'
import * as entry from './index.js'

it('exports exactly these values', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'STATE_ERROR_CODES',
    'StateError',
    'createMark',
    'isLeftBehind',
    'nodeFs',
    'openConfig',
    'openFolder',
    'openJsonFile',
    'openLineLog',
    'openProviders',
    'processMark',
    'readLines',
    'resolveHome',
    'retireMark',
  ])
})

it('has exactly these error codes', () => {
  expect(entry.STATE_ERROR_CODES).toEqual([
    'disk_full',
    'not_writable',
    'unreadable',
    'write_failed',
    'newer_version',
    'locked',
    'invalid_value',
    'closed',
  ])
})
