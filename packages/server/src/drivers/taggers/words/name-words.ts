export const titles = new Set(
  (
    'mr mrs ms miss mx dr prof professor sir dame lord lady rev reverend father sister brother captain capt lt sgt major colonel ' +
    'judge justice senator sen rep governor president chancellor minister queen king prince princess imam rabbi sheikh ' +
    'herr herrn frau fräulein monsieur madame mme mlle mademoiselle maître señor señora señorita sr sra srta don doña ' +
    'signor signora signorina dott dottor avv senhor senhora meneer mevrouw dhr mevr pan pani hr fru uncle aunt'
  ).split(' '),
);
export const particles = new Set(
  'van von de der den da di du del della dos das la le el al bin ibn ben bint abu ter ten zu y e af'.split(' '),
);
/** Capitalized words that end a name, or show that it is none. */
export const never = new Set(
  (
    'i the a an and or but if this that these those my your his her our their it he she we they you is are was were be been ' +
    'am do does did will would can could shall should may might must have has had not no yes please thanks thank dear hi hello ' +
    'hey best kind regards sincerely cheers good morning evening afternoon monday tuesday wednesday thursday friday saturday ' +
    'sunday january february march april june july august september october november december new north south east west who ' +
    'what when where why how all any some for from with about into of on in at to by as so then than there here also just'
  ).split(' '),
);
export const organizationWord = new Set(
  (
    'inc ltd llc llp plc gmbh ag kg sa bv nv oy ab corp corporation company co bank university college school institute hospital ' +
    'church group holdings partners foundation association society committee council ministry department agency team club fc ' +
    'street road avenue lane drive boulevard square river lake mountain island airport station bridge park hotel restaurant ' +
    'museum theatre theater stadium cup league award prize law act treaty theorem syndrome disease algorithm'
  ).split(' '),
);

/** Verbs that only persons do, right after a name that is in no list. */
export const humanVerb =
  /^ (?:said|says|asked|told|wants|wrote|lives|lived|thinks|replied|agreed|signed|joined|works|worked|married|died|retired|smiled|laughed|phoned)(?!\p{L})/u;
