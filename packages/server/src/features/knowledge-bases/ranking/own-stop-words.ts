const listOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Stop words of languages whose stems PostgreSQL knows, but whose stop words it does not. */
export const ownStopWords: Record<string, ReadonlySet<string>> = {
  ar: listOf(
    'في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم هن أنا أنت نحن كان كانت يكون تكون ليس لا لم لن ما ماذا متى أين كيف هل أو ثم أن إن لكن بل حتى إذا كل بعض غير بين عند قد كما بعد قبل منذ لأن فقط أي و ف ب ل ك يا',
  ),
  el: listOf(
    'ο η το οι τα του της των τον την τους τις και κι να θα με σε για από απο στο στη στην στον στα στις στους που πως ότι οτι αν δεν μη μην είναι ειναι ήταν ηταν έχει εχει ένα ενα ένας μια μία αυτό αυτος αυτός αυτή αυτά αλλά αλλα ή όμως όπως όταν πού πώς τι ποιος ποια ποιο εγώ εσύ εμείς εσείς μου σου μας σας ως προς κατά μετά πριν',
  ),
  ro: listOf(
    'a acest aceasta această acestea aceste acestui aceștia acel acea acei acele ai al ale am ar are as aș asta astfel asupra au avea avem ca că când care cărei căror cât ce cea cei cel cele celor ceva chiar cine cu cum da dacă dar de deci deja deși din dintre doar după ea ei el ele este eu fi fie fiecare fost iar îi îl îmi în îți la le li lor lui mai mea mei mele meu mi mult nici noi nostru nu o ori orice pe pentru peste prin să sa sale sau său se și si sunt ta te tot tu un una unde unei unor unui va vă voi vor vostru',
  ),
  ta: listOf('ஒரு என்று மற்றும் இந்த இது என்ற கொண்டு என்பது பல ஆகும் அல்லது அவர் நான் உள்ள அந்த இவர் என முதல் என்ன இருந்து சில என் போன்ற'),
};
