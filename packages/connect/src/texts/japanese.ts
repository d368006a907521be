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
  onComputers: 'パソコンで使えます',

  waitingTitle: 'Leuria の確認画面をご覧ください',
  waitingText: 'このサイトが AI を使ってよいか、Leuria がお尋ねしています。許可したら、ここへお戻りください。',
  cancel: 'キャンセル',

  startTitle: 'Leuria を起動してください',
  startText: 'Leuria はパソコンで動く小さなプログラムです。許可したサイトにだけ、お使いの AI をつなぎます。',
  haveTitle: 'Leuria をお持ちの場合',
  haveText: '起動してください。このページは自動で続きます。',
  newTitle: 'まだお持ちでない場合',
  newText: 'Node.js が入っていれば、ターミナルの 1 行で起動できます。',
  getLeuria: 'Leuria の入手方法',
  copy: 'コピー',
  copied: 'コピーしました',

  declinedTitle: 'つながっていません',
  declinedText: 'Leuria で許可されませんでした。このサイトには何も渡していません。',
  recentTitle: '先ほど許可されませんでした',
  recentText: '再び確認できるまで少し時間を置きます。{seconds} 秒後にお試しください。',
  expiredTitle: '確認の期限が切れました',
  expiredText: 'Leuria でお返事を待っていましたが、確認を取り下げました。何も渡していません。',
  failedTitle: 'うまくいきませんでした',
  failedText: 'このサイトをつなげませんでした。何も渡していません。',

  yourAI: '自分の AI',
  answersHere: 'ここで答える AI',
  manage: 'Leuria で管理',
  disconnect: '接続を切る',
  nowConnected: 'つながりました。{name} が答えます。',
  nowDisconnected: '接続を切りました。',

  otherAI: '別の AI を使う',
  browserAI: 'このブラウザーの AI',
  browserNote: 'この端末の外へは出ません',
  siteAI: 'このサイトの AI',
  siteNote: '質問はこのサイトへ送られます',
  cloudNote: '質問はご自分のアカウントへ送られます',
  downloadNote: '先にダウンロードします',
  answering: '{name}が答えています',
  gettingReady: '{name}を準備中: {percent}',

  phoneTitle: 'パソコンでこのページを開いてください',
  phoneText:
    'AI は Leuria を通してサイトとつながります。Leuria はパソコン用で、スマートフォンやタブレットでは動きません。',
  share: 'リンクを自分に送る',
  linkCopied: 'リンクをコピーしました',

  noAI: 'つながっている AI はありません',
  lookingForAny: 'AI を探しています',
  badge: '自分の AI で使えます',
}
