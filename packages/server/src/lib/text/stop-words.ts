/** Words that tell nothing about the topic of a text, in the most frequent languages, without accents. */
const lists = [
  // English
  'a about all also am an and any are as at be been but by can could did do does find for from get give had has have he her hers him his how i if in into is it its just know let like many may me more most much must my no not of on one or our out please s say she should show so some such t tell than that the their them then there these they this those to too us use was we were what when where which who whom whose why will with would you your',
  // German
  'welchem welchen diesem diesen dieses jede jeder jedes ihre ihren ihrem meine meinem meinen seine seinem deine deinen aber alle als am an auch auf aus bei bin bis bitte bist da das dass dein dem den der des die dies diese dieser dir doch du durch ein eine einem einen einer eines er es euch fur gibt habe haben hat hatte ich ihr im in ist ja kann kein keine konnen mein mir mit muss nach nicht noch nur oder ohne sein sich sie sind so uber um und uns unser vom von vor wann war warum was welche welcher welches wem wen wenn wer werden wie wieso wieviel will wir wird wo zu zum zur',
  // French
  'au aux avec c ce ces cet cette combien comment d dans de des dois du elle elles en est et etes eu il ils j je l la le les leur lui m ma mais me mes moi mon n ne nos notre nous on ou par pas peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi sa sans se ses son sont sur ta te tes toi ton tu un une votre vous y',
  // Spanish and Portuguese
  'cuanta cuantas quienes al algo ao aos como con cual cuales cuando cuanto cuantos da das de del desde do dos donde e el ela ele em entre era es esa ese eso esta este esto foi ha hay la las lo los mas me mi muy na nao nas no nos o onde os para pero por porque pra qual quais quando que quem quien se sem ser si sin sobre son su sua sus tem tu um uma un una uno voce y ya yo',
  // Italian
  'alla allo anche che chi ci come con cosa da dal dalla degli dei del della delle di dove e gli ha ho i il in io la le lei loro lui ma mi nel nella non per perche piu qual quale quali quando quanto questa questo se si sono su sua suo sul sulla ti tra tu un una uno vi',
  // Dutch and the Scandinavian languages
  'aan af alle at av bij da dat de deg den der det deze di dig din dit du een eg ein eller en er et fra for ge geen har hebben heeft het hij hoe hva hvad hvem hvor hvordan hvorfor hvornar i ik in ingen is ja jag je kan man med meg mig mijn na naar naer nar niet nog och og ogsa om on op over pa sa seg ska skal som te til till tot u uit um van var vad vem vi vilken vilket voor waar waarom wanneer wat we welke wie wij worden ze zijn',
  // Polish, Czech, Turkish
  'ale bez bir bo bu by byc co czy dla do gdzie i icin ile ja jak jaki jakie jaka je jest jestem kde kdo kdy kim kiedy ktory kto ktora ktore mi mam me mu na nasz ne nerede nie niz o od ona one oni oraz po pod proc przez sa se si sie sou ta tak te ten to tu ve vy w we z za ze nasil neden',
  // Russian and Ukrainian
  'а без более бы был была были было быть в вам вас вы где для до его ее если есть еще же за и из или им их к как какая какие какой когда кто ли мне мои мой мы на над нам нас не него нет но о об он она они от по под при про с сколько со так то только ты у уже что чем чему это этот эта эти я як який яка де коли чому хто та й і є що',
  // Chinese and Japanese pairs that only ask
  '什么 什麼 怎么 怎麼 么样 为什 如何 哪里 哪个 是什 多少 请问 一个 我们 你们 可以 です ます でし まし した ませ せん てく くだ ださ さい いで とは はな は何 何で どこ いつ どう うや やっ って から ので こと もの という',
];

/** Texts are compared without their marks, й among them. */
const withoutMarks = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');

export const stopWords: ReadonlySet<string> = new Set(lists.flatMap((list) => withoutMarks(list).split(' ')));
