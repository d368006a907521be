/** Every text of the elements, in French. */
import type { Texts } from './english.js'

export const FRENCH: Texts = {
  connect: 'Connecter votre IA',
  looking: 'Recherche de votre IA',
  waiting: 'En attente de votre réponse',
  notRunning: 'Leuria n’est pas lancé',
  tryAgain: 'Réessayer',
  close: 'Fermer',

  asksFirst: 'Leuria vous demande d’abord',
  throughLeuria: 'Connectée par Leuria',
  onComputers: 'Fonctionne sur un ordinateur',

  waitingTitle: 'La question vous attend dans Leuria',
  waitingText: 'Leuria demande si ce site peut utiliser votre IA. Acceptez là-bas, puis revenez ici.',
  cancel: 'Annuler',

  startTitle: 'Lancez Leuria pour continuer',
  startText:
    'Leuria est un petit programme sur votre ordinateur. Il relie votre IA aux sites que vous autorisez, et à aucun autre.',
  haveTitle: 'Vous avez Leuria',
  haveText: 'Ouvrez-le. Cette page continue d’elle-même.',
  newTitle: 'Vous ne l’avez pas encore',
  newText: 'Avec Node.js sur cet ordinateur, une ligne dans un terminal suffit :',
  getLeuria: 'Comment obtenir Leuria',
  copy: 'Copier',
  copied: 'Copié',

  declinedTitle: 'Pas de connexion',
  declinedText: 'Vous avez refusé dans Leuria. Rien n’a été transmis à ce site.',
  recentTitle: 'Vous venez de refuser',
  recentText: 'Leuria attend un peu avant de vous redemander. Réessayez dans {seconds} secondes.',
  expiredTitle: 'La question a expiré',
  expiredText: 'Elle attendait votre réponse dans Leuria, puis a été retirée. Rien n’a été transmis.',
  failedTitle: 'Cela n’a pas marché',
  failedText: 'Ce site n’a pas pu être connecté. Rien n’a été transmis.',

  yourAI: 'Votre IA',
  answersHere: 'Répond ici',
  manage: 'Gérer dans Leuria',
  disconnect: 'Déconnecter',
  nowConnected: 'Connexion établie. {name} répond ici.',
  nowDisconnected: 'Connexion terminée.',

  otherAI: 'Utiliser une autre IA',
  browserAI: 'l’IA de ce navigateur',
  browserNote: 'Reste sur cet appareil',
  siteAI: 'l’IA de ce site',
  siteNote: 'Vos questions vont à ce site',
  cloudNote: 'Vos questions vont à votre propre compte',
  downloadNote: 'Doit d’abord être téléchargée',
  answering: 'Répond ici : {name}',
  gettingReady: '{name} se prépare : {percent}',

  phoneTitle: 'Ouvrez cette page sur un ordinateur',
  phoneText:
    'Votre IA communique avec les sites par Leuria, qui fonctionne sur les ordinateurs, pas sur les téléphones ni les tablettes.',
  share: 'M’envoyer le lien',
  linkCopied: 'Lien copié',

  noAI: 'Aucune IA connectée',
  lookingForAny: 'Recherche d’une IA',
  badge: 'Fonctionne avec votre propre IA',
}
