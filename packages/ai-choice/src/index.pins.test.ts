import { expect, it } from 'vitest'
import * as entry from './index.js'

it('exports exactly these values', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'COSTS',
    'LM_STUDIO_URL',
    'TIERS',
    'chooseModel',
    'fit',
    'modelName',
    'ollamaRoot',
    'parseBillions',
    'plainName',
    'resolveAi',
    'serviceAddresses',
    'tierOf',
  ])
})
