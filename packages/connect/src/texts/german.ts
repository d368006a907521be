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
  onComputers: 'Geht auf einem Computer',

  waitingTitle: 'Leuria hat eine Frage an dich',
  waitingText: 'Leuria fragt, ob diese Seite deine KI nutzen darf. Erlaube es dort und komm dann zurück.',
  cancel: 'Abbrechen',

  startTitle: 'Starte Leuria, dann geht es weiter',
  startText:
    'Leuria ist ein kleines Programm auf deinem Computer. Es verbindet deine KI mit den Seiten, denen du es erlaubst, und mit keinen anderen.',
  haveTitle: 'Du hast Leuria schon',
  haveText: 'Öffne es. Diese Seite macht dann von selbst weiter.',
  newTitle: 'Du hast es noch nicht',
  newText: 'Wenn Node.js auf diesem Computer ist, startet es mit einer Zeile im Terminal:',
  getLeuria: 'So bekommst du Leuria',
  copy: 'Kopieren',
  copied: 'Kopiert',

  declinedTitle: 'Nicht verbunden',
  declinedText: 'Du hast in Leuria Nein gesagt. Diese Seite hat nichts bekommen.',
  recentTitle: 'Du hast eben Nein gesagt',
  recentText: 'Leuria wartet ein wenig, bevor es dich wieder fragt. Versuch es in {seconds} Sekunden noch einmal.',
  expiredTitle: 'Die Frage ist abgelaufen',
  expiredText:
    'Sie hat in Leuria auf deine Antwort gewartet und wurde dann weggelegt. Diese Seite hat nichts bekommen.',
  failedTitle: 'Das hat nicht geklappt',
  failedText: 'Diese Seite konnte nicht verbunden werden. Sie hat nichts bekommen.',

  yourAI: 'Deine KI',
  answersHere: 'Antwortet hier',
  manage: 'In Leuria verwalten',
  disconnect: 'Trennen',
  nowConnected: 'Verbunden. {name} antwortet hier.',
  nowDisconnected: 'Getrennt.',

  otherAI: 'Eine andere KI nehmen',
  browserAI: 'KI dieses Browsers',
  browserNote: 'Bleibt auf diesem Gerät',
  siteAI: 'KI dieser Seite',
  siteNote: 'Deine Fragen gehen an diese Seite',
  cloudNote: 'Deine Fragen gehen an dein eigenes Konto',
  downloadNote: 'Wird zuerst heruntergeladen',
  answering: 'Hier antwortet: {name}',
  gettingReady: '{name} wird vorbereitet: {percent}',

  phoneTitle: 'Öffne diese Seite am Computer',
  phoneText: 'Deine KI erreicht Seiten über Leuria, und Leuria läuft auf Computern, nicht auf Handys und Tablets.',
  share: 'Link an dich selbst senden',
  linkCopied: 'Link kopiert',

  noAI: 'Keine KI verbunden',
  lookingForAny: 'Eine KI wird gesucht',
  badge: 'Läuft mit deiner eigenen KI',
}
