/** An LM Studio with a page in front of it, for this package's tests. */
import { systemClock } from '@leuria/clock'
import { type ScriptedLmStudio, scriptedLmStudio, type ScriptedLmStudioOptions, ServiceStage } from '@leuria/testing'
import { createLmStudioService, type LmStudioServiceOptions } from './index.js'

export const openStage = (): ServiceStage<ScriptedLmStudio, ScriptedLmStudioOptions, LmStudioServiceOptions> =>
  new ServiceStage({
    startServer: scriptedLmStudio,
    openService: (server, more) =>
      createLmStudioService({
        provider: { id: 'lmstudio', name: 'LM Studio', baseUrl: server.url },
        clock: systemClock,
        ...more,
      }),
  })
