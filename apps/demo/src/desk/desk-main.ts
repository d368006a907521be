/** Builds the order desk's page: an e-mail, the form that is made of it, and the source of that. */
import '../styles/page.css'
import { pageClient } from '../site/page-client.js'
import { buildSitePage } from '../site/site-page.js'
import { sourcePanel } from '../site/source-panel.js'
import { createDesk } from './desk-view.js'
import orderFormSource from './order-form.ts?raw'
import readMailSource from './read-mail.ts?raw'

const client = pageClient({ tools: true, effort: 'light' })

buildSitePage({
  ...{ page: 'desk', client },
  title: 'From an e-mail to a form',
  lead: 'People order in sentences. Your AI reads them, and the page gets fields it can work with, checked against a schema.',
  content: createDesk(client),
  source: sourcePanel({
    intro:
      'One request with a schema. Whatever answers, the page gets a value of this shape or an error: the SDK checks it, and has the AI mend it once.',
    files: [
      { path: 'desk/read-mail.ts', about: 'the request', text: readMailSource },
      { path: 'desk/order-form.ts', about: 'the shape, and its type', text: orderFormSource },
    ],
  }),
})
