/** Builds the picture's page: a picture, questions about it, and the source of both. */
import '../styles/page.css'
import { pageClient } from '../site/page-client.js'
import pageClientSource from '../site/page-client.ts?raw'
import { buildSitePage } from '../site/site-page.js'
import { sourcePanel } from '../site/source-panel.js'
import { element } from '../view/element.js'
import { createPictureTalk } from './ask-picture.js'
import askPictureSource from './ask-picture.ts?raw'
import { createPictureStage } from './picture-stage.js'
import { createPictureView } from './picture-view.js'

const client = pageClient({ images: true, effort: 'light' })
const talk = createPictureTalk(client)
const view = createPictureView(talk)
const stage = createPictureStage({
  onPicture: (picture, question) => {
    talk.show(picture)
    view.suggest(question)
  },
})

buildSitePage({
  ...{ page: 'picture', client },
  title: 'Ask about a picture',
  lead: 'Take one of the drawings, or a picture of your own. It goes to your AI with your first question, and nowhere else.',
  content: [element('div', { class: 'picture' }, stage.node, view.node)],
  source: sourcePanel({
    intro: 'A file is part of a message. The conversation remembers it, so that further questions go without it.',
    files: [
      { path: 'picture/ask-picture.ts', about: 'the conversation', text: askPictureSource },
      { path: 'site/page-client.ts', about: 'who may answer', text: pageClientSource },
    ],
  }),
})
stage.start()
