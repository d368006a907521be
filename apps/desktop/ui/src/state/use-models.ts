import { adminModels } from '@leuria/protocol'
import { useEffect, useState } from 'react'
import type { SelectOption } from '../parts/select.js'
import { useStore } from './use-window.js'

/** The models of an AI, for a choice; `null` while they are read, and when there is none to choose. */
export function useModels(agent: string | undefined): readonly SelectOption[] | null {
  const { client } = useStore()
  const [models, setModels] = useState<readonly SelectOption[] | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    setModels(null)
    const query = agent === undefined ? '' : `?agent=${encodeURIComponent(agent)}`
    client
      .get(`models${query}`, adminModels, stop.signal)
      .then(({ models: found }) => {
        setModels(found?.options.map(({ id, name }) => ({ value: id, label: name })) ?? null)
      })
      .catch(() => undefined)
    return () => {
      stop.abort()
    }
  }, [client, agent])
  return models
}
