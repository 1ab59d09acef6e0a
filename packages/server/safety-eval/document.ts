import { makeNeuralTagger } from '../src/drivers/taggers/neural.ts';
import { makeFindPii } from '../src/features/pii/service.ts';
import { type Measured, measure } from './measure.ts';
import { type MeasuredNames, measureSentences } from './sentences.ts';
import {
  fifthThings,
  fourthThings,
  type MeasuredThings,
  measureFifthPeople,
  measureFourthPeople,
  measurePeople,
  measureSecondPeople,
  measureThings,
  measureThirdPeople,
  secondThings,
  thirdThings,
} from './things.ts';
import { timings } from './timing.ts';
import { trainingTable } from './training-figures.ts';

const tagger = makeNeuralTagger();
const findPii = makeFindPii({ tagger });
export const measured: readonly Measured[] = await measure(findPii);
export const measuredNames = await measureSentences(findPii);
export const measuredThings = await measureThings(findPii);
export const measuredPeople = await measurePeople(findPii);
export const measuredSecondThings = await measureThings(findPii, secondThings);
export const measuredSecondPeople = await measureSecondPeople(findPii);
export const measuredThirdThings = await measureThings(findPii, thirdThings);
export const measuredThirdPeople = await measureThirdPeople(findPii);
export const measuredFourthThings = await measureThings(findPii, fourthThings);
export const measuredFourthPeople = await measureFourthPeople(findPii);
export const measuredFifthThings = await measureThings(findPii, fifthThings);
export const measuredFifthPeople = await measureFifthPeople(findPii);

const figure = (share: number) => share.toFixed(2);
const pair = ({ precision, recall }: Measured['exact']) => `${figure(precision)} / ${figure(recall)}`;
const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;

/** The table of figures, which the set of cases decides alone. */
export const figuresTable = [
  row(
    'entity',
    'cases with / without',
    'exact P / R',
    'overlap P / R',
    'held out, exact P / R',
    'all twelve asked for, exact P / R',
  ),
  row(...Array(6).fill('---')),
  ...measured.map((one) =>
    row(
      one.entity,
      `${one.positive} / ${one.negative}`,
      pair(one.exact),
      pair(one.overlap),
      pair(one.held_out),
      pair(one.together),
    ),
  ),
].join('\n');

/** Names in sentences of our own, by the kind of text. */
export const namesTable = [
  row('sentences', 'entity', 'names', 'exact P / R', 'overlap P / R'),
  row(...Array(5).fill('---')),
  ...measuredNames.map(({ group, entity, names, exact, overlap }) =>
    row(group, entity, names, pair(exact), pair(overlap)),
  ),
].join('\n');

/** Words that are no person and are taken for one, and people where they are hard to tell. */
const tableOf = (things: readonly MeasuredThings[], people: readonly MeasuredNames[]) =>
  [
    row('about', 'sentences', 'that lose a word'),
    row(...Array(3).fill('---')),
    ...things.map(({ group, sentences, losing }) =>
      row(group, sentences, `${losing} (${((100 * losing) / sentences).toFixed(1)} %)`),
    ),
    '',
    row('people', 'names', 'exact P / R', 'overlap P / R'),
    row(...Array(4).fill('---')),
    ...people.map(({ group, names, exact, overlap }) => row(group, names, pair(exact), pair(overlap))),
  ].join('\n');

export const thingsTable = tableOf(measuredThings, measuredPeople);
export const secondTable = tableOf(measuredSecondThings, measuredSecondPeople);
export const thirdTable = tableOf(measuredThirdThings, measuredThirdPeople);
export const fourthTable = tableOf(measuredFourthThings, measuredFourthPeople);
export const fifthTable = tableOf(measuredFifthThings, measuredFifthPeople);

async function timesTable(): Promise<string> {
  const { patterns, names } = await timings(tagger);
  const sum = patterns.reduce((total, { ms }) => total + ms, 0);
  const line = ({ name, ms }: { name: string; ms: number }) => row(name, ms.toFixed(3));
  return [
    row('recogniser', 'ms for 1,000 characters'),
    row('---', '---'),
    ...patterns.map(line),
    line({ name: '**all patterns**', ms: sum }),
    line(names),
    line({ name: '**everything**', ms: sum + names.ms }),
  ].join('\n');
}

/** What administrators read about finding personal data. */
export const safetyDocument = async () => `# Finding personal data

Made by \`npm run safety\`; \`npm test\` checks that the first table is what the cases give today.

The setting \`pii_anonimization\` lists what is replaced before a text reaches a model. \`POST /v1/safety/pii\` shows what is
found in a text of yours. **Nothing finds everything: read the figures of an entity before you rely on it.**

Only what users, files, tools, knowledge bases, memories and callers bring in is replaced. The operator's own text goes as written:
persona, instructions, glossary, names and descriptions of tools, keys of JSON, stop sequences
([decision 0053](decisions/0053-whose-words-are-hidden.md)). Words that are taken for people by mistake go into \`pii_allow\`, of an agent or
of a workspace (\`PATCH /v1/admin/groups/{id}\`, permission \`workspace_write\`): plain words, \`*\` for any characters but spaces. A name is left
alone when all of its words are allowed; an address, a number or a date when an entry matches all of it. Names of the workspace's agents,
tables, knowledge bases and workflows, of the agent's tools, and its glossary terms are allowed by themselves.

Knowledge bases have a \`pii_anonimization\` of their own for what their models get ([knowledge bases](knowledge-bases.md)). Flows, co-workers,
subagents and workflows that a conversation runs are held to its privacy and guardrails besides their own
([decision 0042](decisions/0042-what-child-runs-inherit.md)).

## How well

Measured on the cases in \`packages/server/safety-eval/cases\`, written for this purpose: texts with values in them, and texts with
things that look like one. P (precision) is how much of what was found is right, R (recall) how much of what was there was
found. *Exact* means from the first to the last character, *overlap* at least one character. Each entity is asked for alone,
but for the last column. The cases held out were not looked at while the rules were made, with one exception: a first run
showed 0.78 recall on the cards held out (lists with commas), and the rule was mended.

${figuresTable}

The cases for names, places and groups that were held out are the hard ones: rare names, other scripts, small letters.

### Names, places and groups

These are found by a model of our own, trained for this (\`training/ner\`), and by the words around a name. On sentences in
\`packages/server/safety-eval/sentences\` that were written for this purpose and never trained on; read them before you trust the
figures, they are kinder than the wild:

${namesTable}

Sentences without a person (\`packages/server/safety-eval/things\`) that lose a word to PERSON, and people where they are hard to tell
(\`packages/server/safety-eval/people\`); *mixed* is all of these and the sentences above. Read them as a little kind: 29 of the sentences
about things fit a template of the training, found after it by \`training/ner/held_back.py\`, and about 17 models were tried on them.
**Words that are names too (*context*) and greetings of other languages are what is left**; names that things and people share are
sometimes missed as people:

${thingsTable}

A second set (\`things-second\`, \`people-second\`) was written later. No model, rule or threshold was chosen by it, and none of its
sentences fits a template of the training. **Family names alone, names that are on no list and names that things share are what is
missed most**:

${secondTable}

A third set (\`things-third\`, \`people-third\`) was written later still, in all registers, with sentences in small letters and in eleven
other languages. Nothing was chosen by it, and none of its sentences fits a template of the training. **About one sentence of twelve
without a person loses a word**, mostly where a word is a name too (*context*) or a thing is called after a person:

${thirdTable}

A fourth set (\`things-fourth\`, \`people-fourth\`) was written after these, in the same registers. Nothing was chosen by it, and none of its
sentences fits a template of the training:

${fourthTable}

A fifth set (\`things-fifth\`, \`people-fifth\`) was written last, before the training that was tried after it and without a look at what any
model says of it. Nothing was chosen by it, and none of its sentences fits a template of the training:

${fifthTable}

On the part of public collections that was kept from the training (exact precision / recall, then exact and overlap F1), as
they are written, in small letters and in CAPITALS; \`synthetic\` is made from templates that the training knows:

${trainingTable}

**Expect one name of six to be missed in running text, and one of three on social media.** News that calls sports teams by
their cities, groups that are written as part of an organization's name, and names in other scripts than Latin are found badly.

## What is found how

| entity | found by | not found |
| --- | --- | --- |
| EMAIL_ADDRESS | an @ between a name and a domain of the public suffix list (or .local, .internal, .lan, .corp); any script; the @ encoded (\`%40\`, \`&#64;\`, \`&commat;\`), in brackets (\`[at]\`, \`(at)\`), between spaces, or spelled out with its dots (\`john at example dot com\`) | addresses without a domain, \`john at example.com\`, letters that are encoded one by one, the words for *at* and *dot* of other languages |
| PHONE_NUMBER | with + or 00: numbers that the country gives out, in any format; with the country’s code alone: in groups; without: formats of about twenty countries, or a word such as *phone* near by; extensions | bare digits with nothing that says what they are, numbers spelt with letters |
| CREDIT_CARD | issuer, length and Luhn checksum; spaces, dots, dashes, line breaks | cards with a wrong digit, numbers cut in two by words |
| CRYPTO | bitcoin, litecoin, dogecoin, dash, tron (base58 or bech32 checksum), ethereum (checksum when its letters have mixed case) | other currencies |
| IP_ADDRESS | IPv4 and IPv6 in every form; the zone and the mask of a network are part of it, the port is not | IPv4 with leading zeros; \`::\` without the word IP |
| DATE_TIME | calendar dates, months with a day or a year, a day and a month in numbers after a word such as *on* or *born*, clock times; month names of English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Polish, Turkish, Finnish; Chinese, Japanese, Korean forms | bare years, *today*, *next week*; \`05/27\` without a word such as *expires* |
| MEDICAL_LICENSE | registrations of the US Drug Enforcement Administration, by checksum | licences of other countries |
| URL | with a scheme, or a domain of the public suffix list; an e-mail's domain is none | names of files such as \`main.py\`, unless a word such as *website* is near |
| IBAN_CODE | the country's length and form, and the mod 97 checksum | account numbers that are no IBAN |
| PERSON | our model: spelling, word vectors, lists of names and the sentence around; titles and *my name is* by rule | user names and @handles, nicknames, names that are common words in small letters, other scripts than Latin |
| LOCATION | our model; postal addresses as one value, by the model and by the forms of several countries | shops and stations called after something else, small towns without a word that says so, other scripts |
| NRP | our model: nationalities, peoples, religions, political groups | parties by name, rare peoples, words of other languages than English |

Digits of other scripts, full-width letters, odd spaces and invisible characters inside a value do not hide it. Where two
finds overlap, one that passed a check of its own wins over a guess, then the longer one.

## How fast

On a letter of ordinary prose with one value of most kinds; the best of many rounds, on one core of the machine that wrote this.
The cost is linear in the length of a text. 100 kB of text that is made to be slow (signs, digits, single letters, telephone
numbers, nested brackets, repeated or random) costs at most twice as much as 100 kB of prose, measured in one run by
\`packages/server/test/pii-cost.deep.test.ts\`; the dearest text there costs 1.6 times as much. Long texts are read in parts, and other
requests are answered in between.

The model reads at most 0.4 tokens for each character and 2,000 more. Prose needs 0.27. A long text with more of them, such as a table
of short quoted values, is read without its signs, numbers and single letters from there on, and words that are on no list count
as one unknown word.

${await timesTable()}

Names, places and groups are read by a thread of its own, which starts when the first text is met: about 0.1 s and 40 MB, once.
With \`ATRIUM_TAGGER=words\` lists and phrases are used instead, which need less and find less (\`docs/decisions/0016-a-name-tagger-of-our-own.md\`); with
\`ATRIUM_TAGGER_URL\` a service of yours that speaks the protocol of Presidio's analyzer (\`POST /analyze\`). Models in ONNX form
are not loaded by this program: let such a service serve them.
`;
