/** Every text of the elements, in Japanese. */
import type { Texts } from './english.js'

export const JAPANESE: Texts = {
  connect: '自分の AI をつなぐ',
  looking: 'AI を探しています',
  waiting: 'お返事を待っています',
  notRunning: 'Leuria が起動していません',
  tryAgain: 'もう一度試す',
  close: '閉じる',

  asksFirst: 'Leuria が先に確認します',
  throughLeuria: 'Leuria でつながっています',

  waitingTitle: 'Leuria の確認画面をご覧ください',
  waitingText: 'このサイトが AI を使ってよいか尋ねています。許可したら、ここへお戻りください。',
  cancel: 'キャンセル',

  startTitle: 'Leuria を起動してください',
  startText: 'Leuria はパソコンで動く小さなプログラムです。許可したサイトにだけ、お使いの AI をつなぎます。',
  haveText: 'お持ちなら起動してください。このページは自動で続きます。',
  newText: 'まだなら、Node.js のあるパソコンでは次の 1 行で起動できます。',
  getLeuria: 'Leuria の入手方法',
  copy: 'コピー',
  copied: 'コピーしました',

  declinedTitle: 'つながっていません',
  declinedText: 'Leuria で許可されませんでした。このサイトには何も渡していません。',
  recentText: '先ほど許可されなかったため、少し時間を置いています。{seconds} 秒後にお試しください。',
  expiredText: 'Leuria でお待ちしましたが、確認を取り下げました。何も渡していません。',
  failedText: 'うまくいきませんでした。このサイトには何も渡していません。',

  yourAI: '自分の AI',
  manage: 'Leuria で管理',
  disconnect: '接続を切る',

  otherAI: '別の AI を使う',
  browserAI: 'このブラウザーの AI',
  browserNote: 'この端末の外へは出ません',
  siteAI: 'このサイトの AI',
  siteNote: '質問はこのサイトへ送られます',
  downloadNote: '先にダウンロードします',
  answering: '{name}が答えています',
  gettingReady: '{name}を準備中: {percent}',

  phoneTitle: 'パソコンでこのページを開いてください',
  phoneText: 'Leuria は AI をサイトにつなぎます。パソコン用で、スマートフォンやタブレットでは動きません。',
  share: 'リンクを自分に送る',

  noAI: 'つながっている AI はありません',
  badge: '自分の AI で使えます',
}
