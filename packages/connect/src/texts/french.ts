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

  waitingTitle: 'La question vous attend dans Leuria',
  waitingText: 'Ce site peut-il utiliser votre IA ? Acceptez là-bas, puis revenez ici.',
  cancel: 'Annuler',

  startTitle: 'Lancez Leuria pour continuer',
  startText: 'Leuria est un petit programme sur votre ordinateur qui relie votre IA aux sites que vous autorisez.',
  haveText: 'Si vous l’avez, ouvrez-le. Cette page continue d’elle-même.',
  newText: 'Sinon, une ligne dans un terminal le lance, avec Node.js sur cet ordinateur :',
  getLeuria: 'Comment obtenir Leuria',
  copy: 'Copier',
  copied: 'Copié',

  declinedTitle: 'Pas de connexion',
  declinedText: 'Vous avez refusé dans Leuria. Rien n’a été transmis à ce site.',
  recentText: 'Vous venez de refuser, Leuria attend donc un peu. Réessayez dans {seconds} secondes.',
  expiredText: 'La question vous attendait dans Leuria, puis a été retirée. Rien n’a été transmis.',
  failedText: 'Cela n’a pas marché. Rien n’a été transmis à ce site.',

  yourAI: 'Votre IA',
  manage: 'Gérer dans Leuria',
  disconnect: 'Déconnecter',

  otherAI: 'Utiliser une autre IA',
  browserAI: 'l’IA de ce navigateur',
  browserNote: 'Reste sur cet appareil',
  siteAI: 'l’IA de ce site',
  siteNote: 'Vos questions vont à ce site',
  downloadNote: 'Doit d’abord être téléchargée',
  answering: 'Répond ici : {name}',
  gettingReady: '{name} se prépare : {percent}',

  phoneTitle: 'Ouvrez cette page sur un ordinateur',
  phoneText:
    'Leuria relie votre IA aux sites. Il fonctionne sur les ordinateurs, pas sur les téléphones ni les tablettes.',
  share: 'M’envoyer le lien',

  noAI: 'Aucune IA connectée',
  badge: 'Fonctionne avec votre propre IA',
}
