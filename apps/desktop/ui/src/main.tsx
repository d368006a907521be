/** Starts the window: waits for the program to say where the engine is, then shows what the engine tells. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Root } from './root.js'
import './styles/theme.css'
import './styles/layout.css'
import './styles/parts.css'
import './styles/views.css'

const place = document.querySelector('#window')
if (place === null) throw new Error('index.html has no #window')
createRoot(place).render(
  <StrictMode>
    <Root />
  </StrictMode>,
)
