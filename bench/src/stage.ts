/** What most scenarios stand on: one model server, the smallest engine and the product, both asking that server. */
import { fileURLToPath } from 'node:url'
import { type EngineSetup, startConnectedEngine } from './connected-engine.js'
import { type MeasuredProcess, startMeasured } from './measured-process.js'
import type { Target } from './page.js'

const MODEL_SERVER = fileURLToPath(new URL('../floors/model-server.mjs', import.meta.url))
const SMALLEST_ENGINE = fileURLToPath(new URL('../floors/smallest-engine.mjs', import.meta.url))

/** A variant: its process, and how a page reaches it. */
export interface Variant extends Target {
  process: MeasuredProcess
  /** Another connected site's page reaches it so. */
  site: (place: number) => { origin: string; token: string }
}

export interface Stage {
  model: MeasuredProcess
  floor: Variant
  product: Variant
}

/** Does the work on a stage and takes it down, whatever happens. With an `agent` both ask that one, not the model server. */
export async function onStage<Result>(
  work: (stage: Stage) => Promise<Result>,
  { sites = 1, agent, inspect = false }: Omit<EngineSetup, 'modelUrl'> = {},
): Promise<Result> {
  const model = await startMeasured({ script: MODEL_SERVER })
  const modelUrl = `http://127.0.0.1:${model.port}`
  const floor = await startMeasured({
    script: SMALLEST_ENGINE,
    env: { MODEL_URL: modelUrl, AGENT: agent?.script ?? '' },
    inspect,
  })
  const { engine, token, site, stop } = await startConnectedEngine({
    sites,
    modelUrl,
    inspect,
    ...(agent && { agent }),
  })
  try {
    return await work({
      model,
      floor: { process: floor, port: floor.port, token: '', site: (place) => ({ ...site(place), token: '' }) },
      product: { process: engine, port: engine.port, token, site },
    })
  } finally {
    await Promise.all([stop(), floor.stop()])
    await model.stop()
  }
}
