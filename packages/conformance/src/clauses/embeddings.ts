/** Clauses of Embeddings, and of Security considerations. */
import type { ClauseTable } from './clause.js'

export const EMBEDDINGS = {
  'embed.reply': { says: 'embed answers model and vectors, one for each text.' },
  'embed.order': { says: 'Vectors come in the order of the texts.' },
  'embed.token': { says: 'embed needs the grant token.' },
  'embed.kind.default': { says: 'kind defaults to document.' },
  'embed.kind.other': { says: 'Another kind than query and document gets 400.' },
  'embed.count.256': { says: '256 texts are taken.' },
  'embed.count.257': { says: 'More than 256 texts get 400.' },
  'embed.cut': { says: 'Each text is cut to 8,000 characters.' },
  'embed.malformed': { says: 'Malformed requests get 400.' },
  'embed.none': { says: 'Without a local model: 503 with code no_embedder.' },
  'embed.failed': { says: 'When the local service failed: 502.' },
  'embed.health': { says: 'GET /health names the current model.' },
  'embed.local': { says: 'Services reached over the network are never used.' },
} as const satisfies ClauseTable

export const SECURITY = {
  'security.no-trust': { says: 'A site that the visitor did not allow gets nothing.' },
  'security.token.elsewhere': { says: 'A token is useless from any other origin.' },
  'security.silent': { says: 'An unknown site cannot tell that Leuria is installed.', mode: 'app' },
  'security.empty-folder': { says: 'The AI runs in an empty temporary folder, its built-in tools off.' },
  'security.refuses': { says: "Permission requests for other tools than the page's are refused." },
} as const satisfies ClauseTable
