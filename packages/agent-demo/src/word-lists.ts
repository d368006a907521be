/**
 * The few words this AI knows by itself, in English, German, French, Spanish and Japanese: what people do with any tool,
 * words that carry no subject, ways to point back. All of them folded. No word here belongs to a trade.
 */

/** What a tool or a question is about doing. */
export type Action = 'read' | 'create' | 'remove' | 'change' | 'confirm' | 'send' | 'compute' | 'start' | 'stop'

const list = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '')

/** Verbs that name an action plainly. */
const ACTION_WORDS: Readonly<Record<Action, readonly string[]>> = {
  read: list(
    `search find look lookup show list get fetch read view browse display check retrieve query locate tell give see
    suche suchen such finde finden zeige zeig zeigen liste auflisten lies lesen anzeigen abfragen abrufen hole
    cherche chercher trouve trouver montre montrer affiche afficher liste lister lire obtenir rechercher voir donne
    busca buscar muestra mostrar lista listar encuentra encontrar ver
    検索 探し 探す 表示 取得 教え 見せ 一覧 調べ 照会`,
  ),
  create: list(
    `add put create new insert make register schedule append record log write note save remind plan reserve book
    erstelle erstellen anlegen lege leg hinzufugen fuge neu neue neuen schreibe notiere speichere trage eintragen buche
    buchen reserviere reservieren plane planen
    ajoute ajouter creer cree mets mettre ecris ecrire note enregistre enregistrer reserve reserver planifie
    anade anadir agrega agregar crea crear pon reserva reservar
    追加 作成 登録 入れ 書い 予約 保存`,
  ),
  remove: list(
    `remove delete clear cancel drop erase discard unsubscribe
    entferne entfernen losche loschen storniere stornieren
    supprime supprimer retire retirer enleve enlever annule annuler efface effacer
    elimina eliminar borra borrar quita quitar cancela cancelar
    削除 消し 消す 取消`,
  ),
  change: list(
    `update change set edit modify rename move turn switch adjust assign replace
    andere andern setze setz setzen stelle stell stellen aktualisiere aktualisieren verschiebe schalte schalten
    change changer modifie modifier regle regler deplace deplacer mettre
    cambia cambiar ajusta ajustar actualiza actualizar mueve
    変更 設定 更新 移動`,
  ),
  confirm: list(
    `confirm approve accept finish complete submit finalize finalise
    bestatige bestatigen abschliessen genehmige genehmigen
    confirme confirmer valide valider accepte accepter termine
    confirma confirmar acepta aceptar
    確認 確定 承認`,
  ),
  send: list(
    `send mail email share notify post publish forward reply
    sende senden sende schicke schick schicken teile teilen
    envoie envoyer partage partager publie publier
    envia enviar comparte compartir
    送信 送っ 送る 共有`,
  ),
  compute: list(
    `calculate compute convert translate count sum estimate measure compare
    berechne berechnen rechne umrechnen ubersetze ubersetzen vergleiche vergleichen
    calcule calculer convertis convertir traduis traduire compare comparer
    calcula calcular convierte traduce traducir
    計算 変換 翻訳 比較`,
  ),
  start: list(
    `start run launch begin play open resume enable activate
    starte starten offne offnen spiele spielen aktiviere
    demarre demarrer lance lancer ouvre ouvrir joue jouer active
    inicia iniciar abre abrir reproduce
    開始 再生 開い 起動`,
  ),
  stop: list(
    `stop pause end halt close quit disable deactivate mute
    stoppe stoppen beende beenden schliesse schliessen anhalten
    arrete arreter ferme fermer
    deten detener cierra cerrar
    停止 終了 閉じ`,
  ),
}

/** Words that ask rather than tell: the question wants something read, unless a verb says otherwise. */
const ASKING_WORDS = new Set(
  list(
    `what whats which who whom when where how have any there is are do does many much want need like
    was welche welcher welches welchen wer wann wo wie gibt habt hast haben
    quel quelle quels quelles qui quand ou comment combien avez est y
    que cual cuales quien cuando donde como cuanto cuantos hay
    何 どこ いつ 誰 どの どう ある あり`,
  ),
)

/** Words without a subject of their own: never a reason to choose a tool, never a value by themselves. */
const STOP_WORDS = new Set(
  list(
    `a an the and or but of for to in on at by with without from into about as than then that this these those it its one
    ones me my mine you your yours we our us i im id ill he she they them their his her is are was were be been am do does
    did done doing have has had can could would should will may might must shall please thanks thank hello hi hey ok okay
    just also too so some any there here what whats which who whom when where how why not no yes if s t re ve d ll m now
    want need like let lets all every each more most much many something anything thing things want wants called named
    titled saying says reading both again else well really very up out off over under between per
    der die das den dem des ein eine einen einem einer eines und oder aber von vom fur zu zum zur im in am an auf bei mit ohne
    aus uber unter nach ist sind war wird werden sein bin hat habe haben hast kann kannst konnte mochte will soll bitte danke
    ich du er sie es wir ihr mich mir dir uns mein meine meinen meinem meiner dein deine dieser diese dieses diesen was wer
    wie wo wann welche welcher welches welchen gibt nicht kein keine ja nein alle etwas so auch noch mal hallo namens genannt
    dann dass ob denn doch bis zwischen
    le la les un une des du de l d et ou mais pour par avec sans dans sur a au aux en vers chez est sont suis es etes sera ete
    ai as avons avez ont je tu il elle nous vous ils elles me moi te toi mon ma mes ton ta tes votre vos notre ce cet cette ces
    que qui quoi quel quelle quels quelles y ne pas non oui si s il plait merci bonjour veux voudrais peux peut pouvez tout
    tous toute toutes appele intitule plus
    el los las una unos unas del al y o para por con sin es son mi mis tu tus su que como si no favor quiero este esta estos
    の に は を が と で も へ や か から まで より です ます て た し する して ください 下さい これ それ あれ この その あの
    私 あなた ある あり ない お ご な だ ね よ`,
  ),
)

/** Words that point back to what was found before. */
const POINTING_WORDS = new Set(
  list(
    `it this that these those them one ones same
    es ihn diese dieser dieses diesen diesem das denselben dieselbe
    le la les celui celle ceux ca cela
    este esta ese esa eso lo
    これ それ あれ この その`,
  ),
)

/** Place in a list, from 0; -1 is the last. */
const ORDINALS: ReadonlyMap<string, number> = new Map(
  [
    'first 1st erste ersten erster erstes premier premiere primero primera 最初',
    'second 2nd zweite zweiten zweiter zweites deuxieme seconde segundo segunda',
    'third 3rd dritte dritten dritter drittes troisieme tercero tercera',
    'fourth 4th vierte vierten quatrieme cuarto cuarta',
    'fifth 5th funfte funften cinquieme quinto quinta',
    'sixth 6th sechste sechsten sixieme sexto sexta',
  ]
    .flatMap((words, place) => list(words).map((word): [string, number] => [word, place]))
    .concat(list('last letzte letzten letzter letztes dernier derniere ultimo ultima 最後').map((word) => [word, -1])),
)

/** Written numbers from one to twelve. */
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    'one eins uno 一つ 一',
    'two zwei deux dos 二つ 二',
    'three drei trois tres 三つ 三',
    'four vier quatre cuatro 四つ 四',
    'five funf cinq cinco 五つ 五',
    'six sechs seis 六つ 六',
    'seven sieben sept siete 七つ 七',
    'eight acht huit ocho 八つ 八',
    'nine neun neuf nueve 九つ 九',
    'ten zehn dix diez 十',
    'eleven elf onze once',
    'twelve zwolf douze doce dozen dutzend',
  ].flatMap((words, place) => list(words).map((word): [string, number] => [word, place + 1])),
)

const ACTION_OF: ReadonlyMap<string, Action> = new Map(
  Object.entries(ACTION_WORDS).flatMap(([action, words]) =>
    // The key is one of the table's own: Object.entries only widens it.
    words.map((word): [string, Action] => [word, action as Action]),
  ),
)

/** The action a verb names, or `undefined`. English and French endings are looked through. */
export function actionOf(word: string): Action | undefined {
  const direct = ACTION_OF.get(word)
  if (direct !== undefined) return direct
  for (const ending of ['ing', 'ed', 'es', 's', 'ting', 'ning', 'd', 'ez']) {
    const stem = word.endsWith(ending) ? word.slice(0, -ending.length) : ''
    if (stem.length < 3) continue
    const action = ACTION_OF.get(stem) ?? ACTION_OF.get(`${stem}e`)
    if (action !== undefined) return action
  }
  return undefined
}

export const isAsking = (word: string): boolean => ASKING_WORDS.has(word)
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word)
export const isPointing = (word: string): boolean => POINTING_WORDS.has(word)
export const ordinalOf = (word: string): number | undefined => ORDINALS.get(word)
export const numberOf = (word: string): number | undefined => NUMBER_WORDS.get(word)
