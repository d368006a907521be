/** Reads each part of what the window shows from the engine. */
import {
  adminAgentList,
  adminAiList,
  adminEmbeddings,
  adminLimitList,
  adminLog,
  adminProviderList,
  adminSiteList,
  adminStatus,
  adminUsage,
} from '@leuria/protocol'
import type { AdminClient } from '../engine/admin-client.js'
import { MOST_ACTIVITY, type Part, type WindowState } from './window-state.js'

type Read = (client: AdminClient) => Promise<Partial<WindowState>>

export const READ: Readonly<Record<Part, Read>> = {
  status: async (client) => {
    const status = await client.get('status', adminStatus)
    return { status, questions: status.pairing, warnings: status.warnings ?? [] }
  },
  sites: async (client) => ({ sites: (await client.get('sites', adminSiteList)).sites }),
  ais: async (client) => ({ ais: (await client.get('ais', adminAiList)).ais }),
  agents: async (client) => ({ agents: await client.get('agents', adminAgentList) }),
  providers: async (client) => ({ providers: (await client.get('providers', adminProviderList)).providers }),
  embeddings: async (client) => ({ embeddings: await client.get('embeddings', adminEmbeddings) }),
  limits: async (client) => ({ limits: (await client.get('limits', adminLimitList)).limits }),
  usage: async (client) => ({ usage: await client.get('usage', adminUsage) }),
  log: async (client) => ({ activity: (await client.get(`log?limit=${MOST_ACTIVITY}`, adminLog)).entries }),
}
