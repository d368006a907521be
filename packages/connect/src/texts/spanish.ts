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
  onComputers: 'Funciona en un ordenador',

  waitingTitle: 'Busca la pregunta en Leuria',
  waitingText: 'Leuria pregunta si este sitio puede usar tu IA. Acepta allí y vuelve aquí.',
  cancel: 'Cancelar',

  startTitle: 'Abre Leuria para continuar',
  startText:
    'Leuria es un pequeño programa en tu ordenador. Conecta tu IA con los sitios que tú permites, y con ninguno más.',
  haveTitle: 'Ya tienes Leuria',
  haveText: 'Ábrelo. Esta página continúa sola.',
  newTitle: 'Todavía no lo tienes',
  newText: 'Con Node.js en este ordenador, basta una línea en un terminal:',
  getLeuria: 'Cómo obtener Leuria',
  copy: 'Copiar',
  copied: 'Copiado',

  declinedTitle: 'Sin conexión',
  declinedText: 'Dijiste que no en Leuria. No se ha compartido nada con este sitio.',
  recentTitle: 'Acabas de decir que no',
  recentText: 'Leuria espera un poco antes de volver a preguntarte. Inténtalo en {seconds} segundos.',
  expiredTitle: 'La pregunta ha caducado',
  expiredText: 'Esperó tu respuesta en Leuria y después se retiró. No se ha compartido nada.',
  failedTitle: 'No ha funcionado',
  failedText: 'No se pudo conectar este sitio. No se ha compartido nada.',

  yourAI: 'Tu IA',
  answersHere: 'Responde aquí',
  manage: 'Gestionar en Leuria',
  disconnect: 'Desconectar',
  nowConnected: 'Conexión lista. {name} responde aquí.',
  nowDisconnected: 'Conexión terminada.',

  otherAI: 'Usar otra IA',
  browserAI: 'la IA de este navegador',
  browserNote: 'Se queda en este dispositivo',
  siteAI: 'la IA de este sitio',
  siteNote: 'Tus preguntas van a este sitio',
  cloudNote: 'Tus preguntas van a tu propia cuenta',
  downloadNote: 'Antes hay que descargarla',
  answering: 'Responde aquí: {name}',
  gettingReady: '{name} se está preparando: {percent}',

  phoneTitle: 'Abre esta página en un ordenador',
  phoneText: 'Tu IA llega a los sitios mediante Leuria, que funciona en ordenadores, no en móviles ni tabletas.',
  share: 'Enviarme el enlace',
  linkCopied: 'Enlace copiado',

  noAI: 'Ninguna IA conectada',
  lookingForAny: 'Buscando una IA',
  badge: 'Funciona con tu propia IA',
}
