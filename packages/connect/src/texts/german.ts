/** Every text of the elements, in German. */
import type { Texts } from './english.js'

export const GERMAN: Texts = {
  connect: 'Deine KI verbinden',
  looking: 'Deine KI wird gesucht',
  waiting: 'Wartet auf deine Antwort',
  notRunning: 'Leuria läuft nicht',
  tryAgain: 'Noch einmal versuchen',
  close: 'Schließen',

  asksFirst: 'Leuria fragt dich zuerst',
  throughLeuria: 'Über Leuria verbunden',

  waitingTitle: 'Leuria hat eine Frage an dich',
  waitingText: 'Darf diese Seite deine KI nutzen? Erlaube es dort und komm dann zurück.',
  cancel: 'Abbrechen',

  startTitle: 'Starte Leuria, dann geht es weiter',
  startText:
    'Leuria ist ein kleines Programm auf deinem Computer. Es verbindet deine KI mit Seiten, denen du es erlaubst.',
  haveText: 'Wenn du es hast, öffne es. Diese Seite macht von selbst weiter.',
  newText: 'Wenn nicht, startet es mit einer Zeile im Terminal, wenn Node.js auf diesem Computer ist:',
  getLeuria: 'So bekommst du Leuria',
  copy: 'Kopieren',
  copied: 'Kopiert',

  declinedTitle: 'Nicht verbunden',
  declinedText: 'Du hast in Leuria Nein gesagt. Diese Seite hat nichts bekommen.',
  recentText: 'Du hast eben Nein gesagt, darum wartet Leuria ein wenig. Versuch es in {seconds} Sekunden noch einmal.',
  expiredText: 'Die Frage hat in Leuria auf dich gewartet und wurde weggelegt. Diese Seite hat nichts bekommen.',
  failedText: 'Das hat nicht geklappt. Diese Seite hat nichts bekommen.',

  yourAI: 'Deine KI',
  manage: 'In Leuria verwalten',
  disconnect: 'Trennen',

  otherAI: 'Eine andere KI nehmen',
  browserAI: 'KI dieses Browsers',
  browserNote: 'Bleibt auf diesem Gerät',
  siteAI: 'KI dieser Seite',
  siteNote: 'Deine Fragen gehen an diese Seite',
  downloadNote: 'Wird zuerst heruntergeladen',
  answering: 'Hier antwortet: {name}',
  gettingReady: '{name} wird vorbereitet: {percent}',

  phoneTitle: 'Öffne diese Seite am Computer',
  phoneText: 'Leuria verbindet deine KI mit Seiten. Es läuft auf Computern, nicht auf Handys und Tablets.',
  share: 'Link an dich selbst senden',

  noAI: 'Keine KI verbunden',
  badge: 'Läuft mit deiner eigenen KI',
}
