// Every word that the page says, in Chinese, Japanese and English.

import { pref, setPref } from "./prefs.js";

export const LANGUAGES = { zh: "中文", ja: "日本語", en: "English" };

let current = "en";

/** Take the chosen language, or the browser's. */
export function startLanguage() {
  const wanted = pref("lang") || navigator.language || "en";
  use(Object.keys(LANGUAGES).find((name) => wanted.toLowerCase().startsWith(name)) ?? "en");
}

export function language() {
  return current;
}

export function setLanguage(name) {
  setPref("lang", name);
  use(name);
}

function use(name) {
  current = name;
  document.documentElement.lang = { zh: "zh-Hans", ja: "ja", en: "en" }[name];
}

const INDEX = { zh: 0, ja: 1, en: 2 };

/** A text by its key; `{0}`, `{1}` are replaced. */
export function say(key, ...values) {
  const entry = TEXTS[key];
  const text = entry ? entry[INDEX[current]] : key;
  return values.length ? text.replace(/\{(\d)\}/g, (_, n) => values[n] ?? "") : text;
}

/** Whether there is a text of this key. */
export function has(key) {
  return key in TEXTS;
}

export function number(value) {
  return value.toLocaleString("en-US").replace("-", "−");
}

export function signed(value) {
  return value > 0 ? `+${number(value)}` : number(value);
}

/** Points of a finished game, always with one decimal. */
export function points(value) {
  const text = Math.abs(value).toFixed(1);
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : text;
}

export function yakuName(id) {
  const entry = YAKU[id];
  return entry ? entry[INDEX[current]] : id;
}

const NUMERALS = "一二三四五六七八九";

/** "East 1", "東一局". */
export function roundName(bakaze, kyoku) {
  const wind = say(`wind.${bakaze}`);
  if (current === "en") return `${wind} ${kyoku}`;
  return `${wind}${NUMERALS[kyoku - 1]}局`;
}

export function honbaName(honba) {
  return say("honba", honba);
}

/** Name of a tile as it is read out. */
export function tileName(tile) {
  if (!tile || tile === "?") return say("tile.hidden");
  if (tile.length === 1) return say(`tile.${tile}`);
  const red = tile.length === 3;
  const name = current === "en"
    ? `${tile[0]} ${say(`suit.${tile[1]}`)}`
    : `${NUMERALS[Number(tile[0]) - 1]}${say(`suit.${tile[1]}`)}`;
  return red ? say("tile.red", name) : name;
}

/** A part of the fu, as the engine names it. */
export function fuName(part) {
  let match = /^(open|closed) (triplet|quad) of (\d)([mpsz])$/.exec(part);
  if (match) return `${say(`fu.${match[1]} ${match[2]}`)} ${tileName(fromMpsz(match[3], match[4]))}`;
  match = /^pair of (\d)([mpsz])$/.exec(part);
  if (match) return `${say("fu.pair")} ${tileName(fromMpsz(match[1], match[2]))}`;
  return say(`fu.${part}`);
}

function fromMpsz(digit, suit) {
  if (suit === "z") return "ESWNPFC"[Number(digit) - 1];
  return digit === "0" ? `5${suit}r` : `${digit}${suit}`;
}

const TEXTS = {
  "app.title": ["雀桌", "雀卓", "Jantaku"],
  "app.tagline": ["立直麻将 · 四人对局", "リーチ麻雀・四人打ち", "Riichi mahjong for four"],
  "lobby": ["大厅", "ロビー", "Lobby"],
  "back": ["返回大厅", "ロビーへ戻る", "Back to the lobby"],
  "settings": ["设置", "設定", "Settings"],
  "close": ["关闭", "閉じる", "Close"],
  "language": ["语言", "言語", "Language"],
  "set.numerals": ["牌角数字", "牌の隅に数字", "Numerals on tiles"],
  "set.numerals.help": ["在每张牌的角上标出数字和风向字母", "牌の隅に数字と風の文字を付ける", "A small number or letter in the corner of every tile"],
  "set.motion": ["动画", "アニメーション", "Animation"],
  "set.confirm": ["点两次才打牌", "二回押して打牌", "Press twice to discard"],
  "set.confirm.help": ["第一次选牌，第二次打出", "一回目で選び、二回目で切る", "The first press chooses the tile, the second discards it"],
  "keys": ["按键", "キー操作", "Keys"],
  "key.tiles": ["选牌，回车打出", "牌を選ぶ・Enterで打牌", "choose a tile, Enter discards"],
  "key.tsumogiri": ["打出摸到的牌", "ツモ切り", "discard the drawn tile"],
  "key.actions": ["和、立直、碰、吃、杠、过", "和了・立直・ポン・チー・カン・パス", "win, riichi, pon, chi, kan, pass"],
  "key.rare": ["九种九牌、不听、取消立直", "九種九牌・ノーテン・立直の取消", "nine terminals, fold, not riichi"],
  "keys.replay": ["牌谱按键", "牌譜のキー操作", "Keys in a replay"],
  "key.step": ["上一步、下一步（也可用滚轮）", "一手戻る・進む（ホイールも可）", "one step (the wheel too)"],
  "key.turn": ["上一巡、下一巡", "前の巡・次の巡", "one turn"],
  "key.hand": ["上一局、下一局", "前の局・次の局", "one hand"],
  "key.ends": ["开头、结尾", "最初・最後", "the start, the end"],
  "key.play": ["自动播放", "自動再生", "play by itself"],
  "key.look": ["所有手牌、名字、换视角", "全員の手牌・名前・視点", "all hands, names, next seat"],
  "key.switches": ["三个自动开关", "自動スイッチ", "the three switches"],
  "key.options": ["在几种吃碰中选择", "鳴き方を選ぶ", "choose among several calls"],

  "name.ask": ["你的名字", "お名前", "Your name"],
  "name.default": ["玩家", "プレイヤー", "Player"],
  "name.cleaned": ["名字里有无法显示的字符，已去掉。这样可以吗？", "表示できない文字を名前から除きました。これでよろしいですか。", "Characters that cannot be shown were taken out of your name. Is it right so?"],
  "name.empty": ["这个名字里没有能显示的字符。", "その名前には表示できる文字がありません。", "Nothing of this name can be shown."],
  "play.now": ["立即与机器人对局", "すぐにボットと対局", "Play against bots now"],
  "play.now.help": ["东风战，三家机器人，立即开始", "東風戦・ボット三人・すぐに開始", "East-only game with three house bots; it starts at once"],
  "new.table": ["新建牌桌", "卓を作る", "New table"],
  "create": ["创建", "作成", "Create table"],
  "rules": ["规则", "ルール", "Rules"],
  "length": ["长度", "長さ", "Length"],
  "tonpuu": ["东风战", "東風戦", "East only"],
  "hanchan": ["半庄战", "半荘戦", "East and South"],
  "clock": ["时限", "持ち時間", "Time"],
  "clock.people": ["普通", "普通", "Normal"],
  "clock.slow": ["宽松", "ゆっくり", "Slow"],
  "clock.fast": ["快速", "速い", "Fast"],
  "clock.bots": ["程序用", "プログラム用", "For programs"],
  "clock.words": ["{0}+{1} 秒", "{0}+{1}秒", "{0} + {1} s"],
  "bots": ["机器人", "ボット", "Bots"],
  "bots.count": ["{0} 家", "{0}人", "{0}"],
  "bots.kind": ["机器人类型", "ボットの種類", "Kind of bot"],
  "bot.greedy": ["进攻型 (greedy)", "攻撃型 (greedy)", "greedy"],
  "bot.random": ["随机出牌 (random)", "ランダム (random)", "random"],
  "bot.tsumogiri": ["只摸切 (tsumogiri)", "ツモ切り (tsumogiri)", "tsumogiri"],
  "private": ["私人牌桌（凭链接加入）", "非公開（リンクで参加）", "Private: joined by link only"],
  "delay": ["旁观延迟", "観戦の遅れ", "Spectators see"],
  "delay.hand": ["一局结束后", "一局の後", "each hand when it is over"],
  "delay.live": ["实时", "リアルタイム", "everything at once"],
  "delay.seconds": ["{0} 秒后", "{0}秒後", "everything {0} s later"],
  "delay.none": ["不允许旁观", "観戦なし", "nothing: no spectators"],
  "preset.house": ["本服规则", "ハウスルール", "House rules"],
  "preset.standard": ["标准", "標準", "Standard"],
  "preset.tenhou": ["天凤", "天鳳", "Tenhou"],
  "preset.tenhou2009": ["天凤（2009）", "天鳳（2009年）", "Tenhou (2009)"],
  "preset.mahjongsoul": ["雀魂", "雀魂", "Mahjong Soul"],
  "preset.mleague": ["M联赛", "Mリーグ", "M.League"],
  "preset.wrc2022": ["WRC 2022", "WRC 2022", "WRC 2022"],
  "preset.ema2016": ["EMA 2016", "EMA 2016", "EMA 2016"],
  "tables": ["公开牌桌", "公開卓", "Public tables"],
  "tables.none": ["现在没有公开的牌桌。", "公開卓はありません。", "No public tables at the moment."],
  "join": ["加入", "参加", "Join"],
  "watch": ["旁观", "観戦", "Watch"],
  "return": ["回到对局", "対局に戻る", "Return to the game"],
  "return.help": ["你在一桌有座位", "着席中の卓があります", "You have a seat at a table"],
  "state.waiting": ["等人", "待機中", "waiting"],
  "state.playing": ["对局中", "対局中", "playing"],
  "state.finished": ["已结束", "終了", "finished"],
  "seat.open": ["空位", "空席", "free seat"],
  "games": ["最近的对局", "最近の対局", "Recent games"],
  "games.none": ["还没有结束的对局。", "終わった対局はまだありません。", "No finished games yet."],
  "replay": ["牌谱", "牌譜", "Replay"],
  "replay.open": ["打开牌谱", "牌譜を開く", "Open a replay"],
  "replay.drop": ["把文件拖到这里，或选择文件", "ファイルをドロップまたは選択", "Drop a file here, or choose one"],
  "replay.forms": ["本站牌谱、天凤 XML、天凤 JSON、mjai", "当サイト・天鳳XML・天鳳JSON・mjai", "Jantaku, Tenhou XML, Tenhou JSON or mjai; it is read, not kept"],
  "replay.reading": ["正在读取牌谱…", "牌譜を読み込み中…", "Reading the replay…"],
  "replay.failed": ["读不了这份牌谱", "この牌譜は読めません", "This replay cannot be read"],
  "replay.large": ["文件大于 {0} MiB。请选择只含一局对局的牌谱文件；若文件里有许多对局，请先分开。", "ファイルが{0} MiBを超えています。一試合だけの牌譜を選んでください。多くの試合を含むファイルは先に分けてください。", "The file is larger than {0} MiB. Choose the record of a single game; take a file of many games apart first."],
  "replay.zip": ["这是 .zip 压缩包，请先解压，再选择其中的一份牌谱。", "これは.zipの書庫です。先に展開し、中の牌譜を一つ選んでください。", "This is a .zip archive: unpack it first, then choose one of the records in it."],
  "replay.differs": ["这份牌谱有 {0} 处与规则不符。", "この牌譜には規則と合わない点が{0}か所あります。", "This record differs from the rules in {0} places."],
  "download": ["下载", "ダウンロード", "Download"],
  "invited": ["你被邀请加入一桌", "卓に招待されました", "You are invited to a table"],
  "connecting": ["正在连接…", "接続中…", "Connecting…"],
  "lost": ["连接断开，正在重连…", "切断されました。再接続中…", "Connection lost; trying again…"],
  "stopped": ["座位已在别处打开。", "別の画面で席が開かれました。", "The seat was opened elsewhere."],
  "take.back": ["在这里继续", "ここで続ける", "Go on here"],
  "table.gone": ["这桌已经不在了。", "この卓はもうありません。", "This table is no longer there."],
  "waiting.title": ["等待其他玩家", "参加者を待っています", "Waiting for players"],
  "waiting.link": ["把链接发给朋友", "リンクを送ってください", "Send this link to your friends"],
  "waiting.here": ["这个链接只能在本机打开。要让别处的朋友加入，请用 --host 0.0.0.0 启动服务器，再用本机的网络地址打开页面。", "このリンクはこの機械でしか開けません。他の場所の友達を招くには、サーバーを --host 0.0.0.0 で起動し、この機械のネットワークのアドレスで開いてください。", "This link works on this machine only. For friends elsewhere start the server with --host 0.0.0.0, and open the page by this machine's network address."],
  "copy": ["复制", "コピー", "Copy"],
  "copied": ["已复制", "コピーしました", "Copied"],
  "fill.bots": ["空位由机器人补齐并开始", "空席をボットで埋めて開始", "Fill with bots and start"],
  "leave": ["离开", "退席", "Leave"],
  "watching": ["旁观中", "観戦中", "Watching"],
  "watch.delay.hand": ["旁观者在一局结束后才看到这一局。", "観戦では一局が終わってから表示されます。", "Spectators see each hand when it is over."],
  "watch.delay.seconds": ["画面比对局晚 {0} 秒。", "表示は{0}秒遅れです。", "What you see is {0} seconds late."],
  "watch.first": ["第一局结束后开始显示。", "最初の一局の後に表示されます。", "The first hand appears when it is over."],

  "wind.0": ["东", "東", "East"],
  "wind.1": ["南", "南", "South"],
  "wind.2": ["西", "西", "West"],
  "wind.3": ["北", "北", "North"],
  "wind.short.0": ["东", "東", "E"],
  "wind.short.1": ["南", "南", "S"],
  "wind.short.2": ["西", "西", "W"],
  "wind.short.3": ["北", "北", "N"],
  "honba": ["{0} 本场", "{0}本場", "{0} honba"],
  "deposits": ["{0} 根立直棒", "供託 {0}", "{0} deposits"],
  "honba.label": ["本场", "本場", "Honba"],
  "deposits.label": ["立直棒", "供託", "Deposits"],
  "left": ["余 {0} 张", "残り {0} 枚", "{0} left"],
  "left.label": ["剩余", "残り", "Left"],
  "dora": ["宝牌", "ドラ", "Dora"],
  "dora.markers": ["宝牌指示牌", "ドラ表示牌", "Dora indicators"],
  "ura.markers": ["里宝牌指示牌", "裏ドラ表示牌", "Ura indicators"],
  "ura": ["里宝牌", "裏ドラ", "Ura dora"],
  "aka": ["赤宝牌", "赤ドラ", "Red dora"],
  "score.help": ["按住查看点差", "押すと点差を表示", "Hold to see the differences"],
  "you": ["你", "あなた", "you"],
  "turn.of": ["轮到{0}", "{0}の番", "{0} to move"],
  "your.turn": ["轮到你了", "あなたの番です", "Your turn"],
  "offline": ["掉线", "切断", "away"],
  "stand.in": ["机器人代打", "代打ち中", "bot plays"],
  "river.of": ["{0}的牌河", "{0}の河", "Discards of {0}"],
  "hand.of": ["{0}的手牌", "{0}の手牌", "Hand of {0}"],
  "your.hand": ["你的手牌", "あなたの手牌", "Your hand"],
  "melds.of": ["{0}的副露", "{0}の副露", "Melds of {0}"],
  "none": ["无", "なし", "none"],
  "drawn": ["刚摸到", "ツモ牌", "just drawn"],

  "actions": ["可选的行动", "できること", "What you can do"],
  "act.none": ["过", "パス", "Pass"],
  "act.chi": ["吃", "チー", "Chi"],
  "act.pon": ["碰", "ポン", "Pon"],
  "act.daiminkan": ["杠", "カン", "Kan"],
  "act.ankan": ["暗杠", "暗槓", "Closed kan"],
  "act.kakan": ["加杠", "加槓", "Added kan"],
  "act.reach": ["立直", "立直", "Riichi"],
  "act.open": ["开立直", "開立直", "Open riichi"],
  "act.ron": ["荣和", "ロン", "Ron"],
  "act.tsumo": ["自摸", "ツモ", "Tsumo"],
  "act.ryukyoku": ["九种九牌", "九種九牌", "Nine terminals"],
  "act.noten": ["不听", "ノーテン", "Fold"],
  "act.cancel": ["取消", "取消", "Cancel"],
  "act.discard": ["打出{0}", "{0}を切る", "Discard {0}"],
  "act.with": ["用 {0}", "{0} で", "with {0}"],
  "call.chi": ["吃", "チー", "Chi"],
  "call.pon": ["碰", "ポン", "Pon"],
  "call.kan": ["杠", "カン", "Kan"],
  "call.reach": ["立直", "リーチ", "Riichi"],
  "call.ron": ["荣", "ロン", "Ron"],
  "call.tsumo": ["自摸", "ツモ", "Tsumo"],
  "riichi.choose": ["选择立直宣言牌", "立直宣言牌を選択", "Choose your riichi discard"],
  "auto.calls": ["不吃碰杠", "鳴きなし", "No calls"],
  "auto.win": ["自动和牌", "自動和了", "Auto win"],
  "auto.draw": ["自动摸切", "ツモ切り", "Auto discard"],
  "waits": ["听牌", "待ち", "Waits"],
  "wait.left": ["余 {0}", "残{0}", "{0} left"],
  "no.yaku": ["无役", "役なし", "no yaku"],
  "furiten": ["振听", "フリテン", "Furiten"],
  "furiten.river": ["振听：和牌在自己牌河", "フリテン：待ち牌が自分の河にある", "Furiten: a wait lies in your own river"],
  "furiten.temporary": ["同巡振听", "同巡フリテン", "Temporary furiten"],
  "furiten.riichi": ["立直振听", "リーチ後フリテン", "Riichi furiten"],
  "shanten": ["{0} 向听", "{0}向聴", "{0}-shanten"],
  "tenpai": ["听牌", "聴牌", "Tenpai"],
  "noten": ["未听", "ノーテン", "Noten"],
  "agari": ["和了形", "和了形", "Complete"],
  "seconds": ["{0} 秒", "{0}秒", "{0} s"],
  "bank": ["加时", "猶予", "bank"],

  "win.ron": ["荣和", "ロン", "Ron"],
  "win.tsumo": ["自摸", "ツモ", "Tsumo"],
  "win.from": ["{0} 放铳", "{0}が放銃", "from {0}"],
  "han": ["{0} 番", "{0}翻", "{0} han"],
  "fu": ["{0} 符", "{0}符", "{0} fu"],
  "points": ["{0} 点", "{0}点", "{0} points"],
  "limit.mangan": ["满贯", "満貫", "Mangan"],
  "limit.haneman": ["跳满", "跳満", "Haneman"],
  "limit.baiman": ["倍满", "倍満", "Baiman"],
  "limit.sanbaiman": ["三倍满", "三倍満", "Sanbaiman"],
  "limit.yakuman": ["役满", "役満", "Yakuman"],
  "limit.kazoe_yakuman": ["累计役满", "数え役満", "Counted yakuman"],
  "yakuman.times": ["{0} 倍役满", "{0}倍役満", "{0}× yakuman"],
  "pao": ["{0} 包牌", "{0}が責任払い", "{0} is liable"],
  "fu.title": ["符的构成", "符の内訳", "Fu"],
  "fu.base": ["底符", "副底", "base"],
  "fu.menzen ron": ["门前荣和", "門前ロン", "closed ron"],
  "fu.tsumo": ["自摸", "ツモ", "tsumo"],
  "fu.open pinfu": ["副露平和形", "喰い平和", "open pinfu"],
  "fu.seven pairs": ["七对子", "七対子", "seven pairs"],
  "fu.tanki wait": ["单骑听", "単騎待ち", "pair wait"],
  "fu.kanchan wait": ["嵌张听", "嵌張待ち", "closed wait"],
  "fu.penchan wait": ["边张听", "辺張待ち", "edge wait"],
  "fu.open triplet": ["明刻", "明刻", "open triplet"],
  "fu.closed triplet": ["暗刻", "暗刻", "closed triplet"],
  "fu.open quad": ["明杠", "明槓", "open kan"],
  "fu.closed quad": ["暗杠", "暗槓", "closed kan"],
  "fu.pair": ["雀头", "雀頭", "pair"],
  "draw.exhaustive": ["荒牌流局", "荒牌平局", "Exhaustive draw"],
  "draw.nagashi_mangan": ["流局满贯", "流し満貫", "Nagashi mangan"],
  "draw.kyuushu_kyuuhai": ["九种九牌", "九種九牌", "Nine terminals"],
  "draw.suufon_renda": ["四风连打", "四風連打", "Four winds"],
  "draw.suucha_riichi": ["四家立直", "四家立直", "Four riichi"],
  "draw.sanchahou": ["三家和", "三家和", "Triple ron"],
  "draw.suukaikan": ["四杠散了", "四槓散了", "Four kans"],
  "next.hand": ["等待下一局…", "次の局を待っています…", "The next hand follows…"],
  "continue": ["继续", "続ける", "Continue"],
  "final": ["终局", "終局", "Final result"],
  "place": ["名次", "順位", "Place"],
  "player": ["玩家", "プレイヤー", "Player"],
  "score": ["点数", "持ち点", "Score"],
  "final.points": ["得分", "ポイント", "Points"],
  "rematch": ["再来一局", "もう一局", "Play again"],
  "rematch.waiting": ["等待其他人…", "他の人を待っています…", "Waiting for the others…"],
  "see.replay": ["看牌谱", "牌譜を見る", "See the replay"],

  "chat": ["短语", "定型文", "Say"],
  "phrase.hello": ["你好！", "よろしくお願いします！", "Hello!"],
  "phrase.good_luck": ["祝好运", "頑張りましょう", "Good luck"],
  "phrase.nice_hand": ["漂亮！", "お見事！", "Nice hand!"],
  "phrase.thinking": ["让我想想", "考え中です", "Let me think"],
  "phrase.sorry": ["抱歉", "すみません", "Sorry"],
  "phrase.thank_you": ["谢谢", "ありがとう", "Thank you"],
  "phrase.good_game": ["打得不错", "お疲れ様でした", "Good game"],
  "phrase.one_more": ["再来一局？", "もう一局？", "One more?"],

  "rp.first": ["第一步", "最初へ", "To the start"],
  "rp.prev.hand": ["上一局", "前の局", "Previous hand"],
  "rp.prev.turn": ["上一巡", "前の巡", "Previous turn"],
  "rp.prev": ["上一步", "一手戻る", "Step back"],
  "rp.next": ["下一步", "一手進む", "Step forward"],
  "rp.next.turn": ["下一巡", "次の巡", "Next turn"],
  "rp.next.hand": ["下一局", "次の局", "Next hand"],
  "rp.play": ["自动播放", "自動再生", "Play"],
  "rp.pause": ["暂停", "一時停止", "Pause"],
  "rp.view": ["视角", "視点", "Seat"],
  "rp.all": ["显示所有手牌", "全員の手牌", "All hands"],
  "rp.names": ["显示名字", "名前を表示", "Names"],
  "rp.wall": ["牌山", "牌山", "Wall"],
  "rp.link": ["复制这一步的链接", "この手のリンクをコピー", "Copy link to this step"],
  "rp.link.short": ["复制链接", "リンクをコピー", "Copy link"],
  "rp.link.short.none": ["无链接", "リンクなし", "No link"],
  "rp.link.none": ["拖入的文件没有链接", "ファイルにはリンクがありません", "A dropped file has no link"],
  "rp.proof": ["公平性证明", "公平性の証明", "Fairness"],
  "rp.step": ["{0} / {1} 手", "{0} / {1} 手", "Step {0} / {1}"],
  "rp.hands": ["各局", "局の一覧", "Hands"],
  "rp.live": ["可摸的牌", "ツモ山", "Live wall"],
  "rp.dead": ["王牌", "王牌", "Dead wall"],
  "rp.rinshan": ["岭上", "嶺上", "Kan draws"],
  "rp.speed": ["速度", "速度", "Speed"],
  "proof.hash": ["发牌前公布的承诺", "配牌前に公開した値", "Published before the deal"],
  "proof.key": ["局后公布的密钥", "局後に公開した鍵", "Published after the hand"],
  "proof.key.ok": ["密钥的 SHA-256 与承诺一致", "鍵のSHA-256が一致", "SHA-256 of the key is what was published"],
  "proof.key.bad": ["密钥与承诺不符！", "鍵が一致しません！", "The key is not the one that was published!"],
  "proof.wall.ok": ["由密钥洗出的牌山与本局一致", "鍵から作った牌山が一致", "The key gives this very wall"],
  "proof.wall.bad": ["密钥洗出的牌山与本局不符！", "牌山が一致しません！", "The key gives another wall!"],
  "proof.here": ["在你的浏览器中计算", "このブラウザで計算しました", "Computed in your browser"],
  "proof.derived": ["牌山由牌谱中的种子推出，{0} 张出现过的牌全部一致", "牌山は牌譜の種から復元。見えた{0}枚すべてが一致", "The wall follows from the seed in the record; all {0} tiles that were seen agree"],
  "proof.none": ["这份牌谱没有可验证的种子；未出现的牌是补上的。", "この牌譜には種がありません。見えない牌は補いました。", "This record has no seed; unseen tiles are filled in."],
  "rp.empty": ["没有牌谱", "牌譜がありません", "No replay"],

  "opt.start": ["{0} 点起", "{0}点持ち", "start {0}"],
  "opt.target": ["{0} 点返", "{0}点返し", "target {0}"],
  "opt.uma": ["马 {0}", "ウマ {0}", "uma {0}"],
  "opt.aka": ["赤宝牌 {0} 张", "赤{0}枚", "{0} red fives"],
  "opt.noaka": ["无赤宝牌", "赤なし", "no red fives"],
  "opt.kuitan": ["食断", "喰いタンあり", "open tanyao"],
  "opt.nokuitan": ["无食断", "喰いタンなし", "no open tanyao"],
  "opt.multi.triple": ["可三家和", "トリプルロンあり", "triple ron"],
  "opt.multi.double": ["可双响", "ダブルロンあり", "double ron"],
  "opt.multi.head_bump": ["截胡", "頭ハネ", "one ron only"],
  "opt.abort": ["有途中流局", "途中流局あり", "abortive draws"],
  "opt.noabort": ["无途中流局", "途中流局なし", "no abortive draws"],
  "opt.kiriage": ["切上满贯", "切り上げ満貫", "rounded-up mangan"],
  "opt.double": ["有双倍役满", "ダブル役満あり", "double yakuman"],
  "opt.extension": ["不到目标分则延长", "延長戦あり", "sudden death"],
  "opt.tobi": ["负分即终局", "トビ終了", "ends below zero"],
  "opt.notobi": ["负分继续", "トビなし", "no bust"],
  "opt.nagashi": ["流局满贯", "流し満貫", "nagashi mangan"],
  "opt.yame": ["庄家和牌可终局", "アガリやめ", "dealer may end"],

  "suit.m": ["万", "萬", "of characters"],
  "suit.p": ["筒", "筒", "of circles"],
  "suit.s": ["索", "索", "of bamboo"],
  "tile.E": ["东", "東", "East wind"],
  "tile.S": ["南", "南", "South wind"],
  "tile.W": ["西", "西", "West wind"],
  "tile.N": ["北", "北", "North wind"],
  "tile.P": ["白", "白", "white dragon"],
  "tile.F": ["发", "發", "green dragon"],
  "tile.C": ["中", "中", "red dragon"],
  "tile.red": ["赤{0}", "赤{0}", "red {0}"],
  "tile.hidden": ["暗牌", "伏せ牌", "hidden tile"],

  "say.discards": ["{0}打{1}", "{0}が{1}を切る", "{0} discards {1}"],
  "say.draws": ["摸到{0}", "{0}をツモ", "You draw {0}"],
  "say.calls": ["{0}{1}", "{0}が{1}", "{0} calls {1}"],
  "say.wins": ["{0}{1}", "{0}が{1}", "{0} wins by {1}"],
  "error": ["出错了：{0}", "エラー：{0}", "Error: {0}"],
  "err.full": ["没有空位了。", "空席がありません。", "There is no free seat."],
  "err.not_found": ["找不到这桌，或链接有误。", "卓が見つからないか、リンクが違います。", "No such table, or the link is wrong."],
  "err.name": ["服务器不接受这个名字，请换一个。", "この名前は使えません。別の名前にしてください。", "The server does not take this name; choose another one."],
  "err.unexpected": ["对局已经开始。", "対局はもう始まっています。", "The game has begun already."],
};

const YAKU = {
  riichi: ["立直", "立直", "Riichi"],
  double_riichi: ["双立直", "ダブル立直", "Double riichi"],
  open_riichi: ["开立直", "開立直", "Open riichi"],
  open_double_riichi: ["双开立直", "開ダブル立直", "Open double riichi"],
  ippatsu: ["一发", "一発", "Ippatsu"],
  menzen_tsumo: ["门前清自摸和", "門前清自摸和", "Menzen tsumo"],
  pinfu: ["平和", "平和", "Pinfu"],
  tanyao: ["断幺九", "断么九", "Tanyao (all simples)"],
  iipeikou: ["一杯口", "一盃口", "Iipeikou (pure double run)"],
  yakuhai_haku: ["役牌 白", "役牌 白", "White dragon"],
  yakuhai_hatsu: ["役牌 发", "役牌 發", "Green dragon"],
  yakuhai_chun: ["役牌 中", "役牌 中", "Red dragon"],
  yakuhai_seat_wind: ["自风牌", "自風牌", "Seat wind"],
  yakuhai_round_wind: ["场风牌", "場風牌", "Round wind"],
  rinshan_kaihou: ["岭上开花", "嶺上開花", "Rinshan (after a kan)"],
  chankan: ["抢杠", "槍槓", "Chankan (robbing a kan)"],
  haitei_raoyue: ["海底摸月", "海底撈月", "Haitei (last draw)"],
  houtei_raoyui: ["河底捞鱼", "河底撈魚", "Houtei (last discard)"],
  chiitoitsu: ["七对子", "七対子", "Chiitoitsu (seven pairs)"],
  chanta: ["混全带幺九", "混全帯么九", "Chanta (outside hand)"],
  ittsuu: ["一气通贯", "一気通貫", "Ittsuu (pure straight)"],
  sanshoku_doujun: ["三色同顺", "三色同順", "Sanshoku (three-colour run)"],
  sanshoku_doukou: ["三色同刻", "三色同刻", "Three-colour triplets"],
  sanankou: ["三暗刻", "三暗刻", "Three concealed triplets"],
  sankantsu: ["三杠子", "三槓子", "Three kans"],
  toitoi: ["对对和", "対々和", "Toitoi (all triplets)"],
  honroutou: ["混老头", "混老頭", "Terminals and honours"],
  shousangen: ["小三元", "小三元", "Little three dragons"],
  ryanpeikou: ["二杯口", "二盃口", "Ryanpeikou (two double runs)"],
  junchan: ["纯全带幺九", "純全帯么九", "Junchan (pure outside)"],
  honitsu: ["混一色", "混一色", "Honitsu (half flush)"],
  chinitsu: ["清一色", "清一色", "Chinitsu (full flush)"],
  sanshoku_tsuukan: ["三色通贯", "三色通貫", "Three-colour straight"],
  isshoku_sanjun: ["一色三顺", "一色三順", "Pure triple run"],
  sanrenkou: ["三连刻", "三連刻", "Three consecutive triplets"],
  tenhou: ["天和", "天和", "Tenhou (heavenly hand)"],
  chiihou: ["地和", "地和", "Chiihou (earthly hand)"],
  renhou: ["人和", "人和", "Renhou (hand of man)"],
  kokushi_musou: ["国士无双", "国士無双", "Thirteen orphans"],
  kokushi_musou_13: ["国士无双十三面", "国士無双十三面", "Thirteen-wait orphans"],
  chuuren_poutou: ["九莲宝灯", "九蓮宝燈", "Nine gates"],
  junsei_chuuren_poutou: ["纯正九莲宝灯", "純正九蓮宝燈", "True nine gates"],
  suuankou: ["四暗刻", "四暗刻", "Four concealed triplets"],
  suuankou_tanki: ["四暗刻单骑", "四暗刻単騎", "Four concealed, pair wait"],
  suukantsu: ["四杠子", "四槓子", "Four kans"],
  chinroutou: ["清老头", "清老頭", "All terminals"],
  tsuuiisou: ["字一色", "字一色", "All honours"],
  daisuushii: ["大四喜", "大四喜", "Big four winds"],
  shousuushii: ["小四喜", "小四喜", "Little four winds"],
  daisangen: ["大三元", "大三元", "Big three dragons"],
  ryuuiisou: ["绿一色", "緑一色", "All green"],
  shiisan_puutou: ["十三不搭", "十三不搭", "Thirteen unconnected"],
  daichisei: ["大七星", "大七星", "Big seven stars"],
  daisharin: ["大车轮", "大車輪", "Big wheels"],
  touhoku_shinkansen: ["东北新干线", "東北新幹線", "North-east express"],
  hyakumangoku: ["百万石", "百万石", "A million stones"],
  isshoku_yonjun: ["一色四顺", "一色四順", "Pure quadruple run"],
  suurenkou: ["四连刻", "四連刻", "Four consecutive triplets"],
  benikujaku: ["红孔雀", "紅孔雀", "Crimson peacock"],
  paarenchan: ["八连庄", "八連荘", "Eight deals in a row"],
  kazoe_yakuman: ["累计役满", "数え役満", "Counted yakuman"],
  nagashi_mangan: ["流局满贯", "流し満貫", "Nagashi mangan"],
};
