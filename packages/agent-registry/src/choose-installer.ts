/** Which of an agent's ways of installing is taken on this computer: npm, then its maker's archive, then PyPI. Pure. */
import { binaryInstaller } from './binary-install.js'
import type { Installer } from './installer.js'
import { npmInstaller } from './npm-install.js'
import { pythonInstaller } from './python-install.js'
import { platformKey, type RegistryAgent } from './registry-document.js'

export type InstallWay = 'npm' | 'archive' | 'pypi'

export interface Computer {
  readonly platform: string
  readonly arch: string
}

/** The ways that fit this computer, in the order in which they are taken. */
export function waysToInstall({ distribution }: RegistryAgent, computer: Computer): readonly InstallWay[] {
  const key = platformKey(computer.platform, computer.arch)
  const hasArchive = key !== null && distribution.binary[key] !== undefined
  return [
    ...(distribution.npx === undefined ? [] : (['npm'] as const)),
    ...(hasArchive ? (['archive'] as const) : []),
    ...(distribution.uvx === undefined ? [] : (['pypi'] as const)),
  ]
}

/** The first way, or null when none fits. */
export function chooseInstaller(agent: RegistryAgent, computer: Computer): Installer | null {
  const { npx, uvx, binary } = agent.distribution
  if (npx !== undefined) return npmInstaller(npx)
  const target = binary[platformKey(computer.platform, computer.arch) ?? '']
  if (target !== undefined) return binaryInstaller(target)
  return uvx === undefined ? null : pythonInstaller(uvx)
}
