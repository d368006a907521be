/** The picture that is asked about: picked, dropped, pasted, or one of the drawings; always seen here before it is sent. */
import type { FileInput } from '@leuria/client'
import { element } from '../view/element.js'
import { icon } from '../view/icons.js'
import { DRAWING_SIZE } from './brush.js'
import { DRAWINGS, type Drawing } from './drawings.js'
import { fitSize, type Size } from './fit.js'

export interface PictureStageOptions {
  /** There is a picture: told as soon as it is seen, so that no question is about another one. `question`: one that fits it. */
  onPicture: (picture: FileInput, question: string) => void
}

export interface PictureStage {
  readonly node: HTMLElement
  /** Shows the first drawing. */
  start(): void
}

const MEDIA_TYPE = 'image/png'
const OWN_QUESTION = 'What can you see in this picture?'

export function createPictureStage({ onPicture }: PictureStageOptions): PictureStage {
  const canvas = element('canvas', { testId: 'picture', attributes: { role: 'img', 'aria-label': 'No picture yet' } })
  const note = element('p', { class: 'fine-print', testId: 'picture-note', attributes: { role: 'status' } })
  const file = element('input', {
    class: 'visually-hidden',
    testId: 'picture-file',
    attributes: { type: 'file', id: 'picture-file', accept: 'image/*' },
  })
  let newest = 0

  const show = (
    size: Size,
    paint: (context: CanvasRenderingContext2D) => void,
    { name, question }: PictureAbout,
  ): void => {
    newest += 1
    canvas.width = size.width
    canvas.height = size.height
    const context = canvas.getContext('2d')
    if (context === null) return
    paint(context)
    canvas.setAttribute('aria-label', name)
    note.textContent = `${name}, ${size.width} × ${size.height} pixels`
    onPicture({ url: canvas.toDataURL(MEDIA_TYPE), mediaType: MEDIA_TYPE }, question)
  }
  const showDrawing = (drawing: Drawing): void => {
    show(DRAWING_SIZE, drawing.draw, drawing)
  }
  const showFile = async (own: Blob | null | undefined): Promise<void> => {
    if (own === null || own === undefined) return
    const mine = (newest += 1)
    try {
      const bitmap = await createImageBitmap(own)
      const size = fitSize(bitmap)
      const name = own instanceof File ? own.name : 'Your picture'
      const paint = (context: CanvasRenderingContext2D): void => {
        context.drawImage(bitmap, 0, 0, size.width, size.height)
      }
      if (mine === newest) show(size, paint, { name, question: OWN_QUESTION })
      bitmap.close()
    } catch {
      if (mine === newest) note.textContent = 'This file is no picture that the browser can show.'
    }
  }
  file.addEventListener('change', () => {
    void showFile(file.files?.[0])
    file.value = '' // So that the same file may be picked again.
  })
  const node = element(
    'section',
    { class: 'card stage', testId: 'stage', attributes: { 'aria-label': 'The picture' } },
    canvas,
    note,
    element(
      'div',
      { class: 'button-row stage-choices' },
      file,
      element(
        'label',
        { class: 'button button-quiet stage-pick', attributes: { for: 'picture-file' } },
        icon('picture'),
        element('span', { text: 'Your own picture' }),
      ),
      ...DRAWINGS.map((drawing) => drawingButton(drawing, showDrawing)),
    ),
    element('p', { class: 'fine-print', text: 'Or drop one here, or paste it.' }),
  )
  takeDrops(node, (own) => void showFile(own))
  document.addEventListener('paste', ({ clipboardData }) => void showFile(pictureIn(clipboardData)))
  return {
    node,
    start() {
      const [first] = DRAWINGS
      if (first !== undefined) showDrawing(first)
    },
  }
}

interface PictureAbout {
  readonly name: string
  readonly question: string
}

function drawingButton(drawing: Drawing, onPick: (drawing: Drawing) => void): HTMLElement {
  return element('button', {
    class: 'suggestion',
    text: drawing.name,
    testId: 'drawing',
    attributes: { type: 'button', 'data-drawing': drawing.id },
    on: {
      click: () => {
        onPick(drawing)
      },
    },
  })
}

function takeDrops(node: HTMLElement, onPicture: (picture: File | undefined) => void): void {
  node.addEventListener('dragover', (event) => {
    event.preventDefault()
    node.dataset.over = 'true'
  })
  node.addEventListener('dragleave', () => {
    delete node.dataset.over
  })
  node.addEventListener('drop', (event) => {
    event.preventDefault()
    delete node.dataset.over
    onPicture(pictureIn(event.dataTransfer))
  })
}

function pictureIn(data: DataTransfer | null): File | undefined {
  return [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'))
}
