/** What the engine answers, where the window keeps only a part of it. */
import type { adminEmbeddings, adminLimitList, adminProviderList, adminUsage } from '@leuria/protocol'
import type * as z from 'zod/mini'

export type Provider = z.output<typeof adminProviderList>['providers'][number]
export type Embeddings = z.output<typeof adminEmbeddings>
export type SiteLimits = z.output<typeof adminLimitList>['limits'][number]
export type Usage = z.output<typeof adminUsage>
