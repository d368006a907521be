import { useState } from 'react'
import { useWindow } from '../state/use-window.js'
import { AddAi } from './add-ai.js'
import { AiCard } from './ai-card.js'
import { ServicesPanel } from './services-panel.js'

/** The visitor's AIs, which of them answers, and how to get another one. */
export function AisView() {
  const ais = useWindow((state) => state.ais)
  const [fresh, setFresh] = useState<string | null>(null)
  return (
    <section aria-labelledby="ais-title">
      <h1 id="ais-title">Your AIs</h1>
      <p className="lead">One of them answers sites; each site can have another one.</p>
      <ul className="cards cards-single">
        {ais?.map((ai) => (
          <AiCard key={ai.id} ai={ai} isFresh={ai.id === fresh} />
        ))}
      </ul>
      <AddAi onInstalled={setFresh} />
      <ServicesPanel />
    </section>
  )
}
