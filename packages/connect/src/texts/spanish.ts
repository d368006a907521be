/** Every text of the elements, in Spanish. */
import type { Texts } from './english.js'

export const SPANISH: Texts = {
  connect: 'Conectar tu IA',
  looking: 'Buscando tu IA',
  waiting: 'Esperando tu respuesta',
  notRunning: 'Leuria no está abierto',
  tryAgain: 'Intentar de nuevo',
  close: 'Cerrar',

  asksFirst: 'Leuria te pregunta primero',
  throughLeuria: 'Conectada mediante Leuria',

  waitingTitle: 'Busca la pregunta en Leuria',
  waitingText: '¿Puede este sitio usar tu IA? Acepta allí y vuelve aquí.',
  cancel: 'Cancelar',

  startTitle: 'Abre Leuria para continuar',
  startText: 'Leuria es un pequeño programa en tu ordenador que conecta tu IA con los sitios que tú permites.',
  haveText: 'Si lo tienes, ábrelo. Esta página continúa sola.',
  newText: 'Si no, una línea en un terminal lo inicia, con Node.js en este ordenador:',
  getLeuria: 'Cómo obtener Leuria',
  copy: 'Copiar',
  copied: 'Copiado',

  declinedTitle: 'Sin conexión',
  declinedText: 'Dijiste que no en Leuria. No se ha compartido nada con este sitio.',
  recentText: 'Acabas de decir que no, así que Leuria espera un poco. Inténtalo en {seconds} segundos.',
  expiredText: 'La pregunta te esperó en Leuria y se retiró. No se ha compartido nada.',
  failedText: 'No ha funcionado. No se ha compartido nada con este sitio.',

  yourAI: 'Tu IA',
  manage: 'Gestionar en Leuria',
  disconnect: 'Desconectar',

  otherAI: 'Usar otra IA',
  browserAI: 'la IA de este navegador',
  browserNote: 'Se queda en este dispositivo',
  siteAI: 'la IA de este sitio',
  siteNote: 'Tus preguntas van a este sitio',
  downloadNote: 'Antes hay que descargarla',
  answering: 'Responde aquí: {name}',
  gettingReady: '{name} se está preparando: {percent}',

  phoneTitle: 'Abre esta página en un ordenador',
  phoneText: 'Leuria conecta tu IA con los sitios. Funciona en ordenadores, no en móviles ni tabletas.',
  share: 'Enviarme el enlace',

  noAI: 'Ninguna IA conectada',
  badge: 'Funciona con tu propia IA',
}
