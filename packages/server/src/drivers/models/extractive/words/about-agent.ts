import { folded } from '../../../../lib/text/terms.ts';
import type { ModelTool } from '../../driver.ts';
import type { Phrases } from './phrases.ts';
import { joinNames, placesOf, tableNamesIn } from './search-places.ts';

const who =
  "(?:who|what) are you|who am i (?:talking|speaking|chatting) (?:to|with)|are you (?:an? )?(?:ai|bot|chatbot|human|robot|person|machine|language model|llm)|what(?: is|'s| s)? your name|what are you called|introduce yourself|wer bist du|wer sind sie|was bist du|wie heisst du|wie heissen sie|bist du (?:ein |eine )?(?:ki|bot|mensch|roboter|maschine)|mit wem (?:spreche|rede|schreibe) ich|stell dich vor|qui es[- ]tu|qui etes[- ]vous|tu es qui|comment t'appelles[- ]tu|comment vous appelez[- ]vous|es[- ]tu (?:un |une )?(?:ia|robot|humain)|presente[- ]toi|quien eres|que eres|quien es usted|como te llamas|cual es tu nombre|eres (?:un |una )?(?:ia|robot|humano|persona)|presentate";
const what =
  "what can (?:you|i) (?:do|ask|help)(?: you| me)?(?: about| with| for me| here)?|what do you (?:do|know|offer)(?: about)?|how can you help(?: me)?|how do(?:es)? (?:you|this) work|what are you (?:for|good at|able to do)|what (?:is this|are your (?:skills|capabilities|functions|sources|tools|documents))|which (?:documents|sources|tables|tools|knowledge bases) (?:do you (?:have|know|use)|can you (?:search|use|read))|help(?: me)?|was kannst du(?: (?:alles|tun|machen|fur mich tun))*|was konnen sie(?: (?:alles|tun|machen|fur mich tun))*|wobei kannst du(?: mir)? helfen|wie kannst du(?: mir)? helfen|was weisst du|was kann ich (?:dich|sie) fragen|hilfe|que peux[- ]tu faire(?: pour moi)?|que pouvez[- ]vous faire(?: pour moi)?|que sais[- ]tu(?: faire)?|qu'est[- ]ce que (?:tu peux|vous pouvez|tu sais) faire(?: pour moi)?|comment peux[- ]tu m'aider|aide|que puedes hacer(?: por mi)?|que sabes(?: hacer)?|que puede hacer|en que (?:puedes|me puedes) ayudar(?:me)?|como puedes ayudarme|que puedo preguntarte|ayuda";
const opening =
  '(?:(?:hi|hey|hello|hallo|hola|bonjour|salut|guten tag|ok|okay|so|and|und|et|y|well|but|aber|mais|pero|please|bitte|also|by the way|tell me|sag mir)[,!.]? )*';
const ending = '(?:,? (?:please|bitte|exactly|eigentlich|genau|then|denn|here|hier|ici|aqui|today|really|now|for me))*';
const asked = new RegExp(
  `^${opening}(?:${who}|${what})${ending}(?:[,;.?!]* ?(?:and|und|et|y|or|oder|ou|o)? ?(?:${who}|${what})${ending})*$`,
);

/** Whether a message asks about the agent itself and not about its documents. */
export const asksAboutAgent = (text: string): boolean => {
  if (text.length > 200) return false;
  const said = folded(text)
    .replaceAll('’', "'")
    .replace(/[¿¡]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?。！？…]+$/u, '')
    .trim();
  return asked.test(said);
};

const known =
  /^(?:kb_|knowledge_|tables_|filesystem_|files?_|conversation_files?_|memor|recall|clock_|todos_|web_|documentation_|databases_)/;

/** A tool of the agent's own, by the words of its name: `weather_report` is "weather report". */
const furtherTools = (tools: readonly ModelTool[]) => [
  ...new Set(tools.filter(({ name }) => !known.test(name)).map(({ name }) => `"${name.replaceAll('_', ' ').trim()}"`)),
];

/** Who the agent is and what it can do, from its own name, knowledge bases, tables and tools. */
export function describeAgent(name: string | undefined, tools: readonly ModelTool[], phrases: Phrases): string {
  const has = (prefix: RegExp) => tools.some((tool) => prefix.test(tool.name));
  const places = placesOf(new Set(tools.map((tool) => tool.name)), tools, phrases);
  const tables = has(/^tables_sql$/) ? tableNamesIn(tools) : [];
  const further = furtherTools(tools).slice(0, 8);
  const abilities = [
    ...(has(/^web_/) ? [phrases.web] : []),
    ...(has(/^todos_/) ? [phrases.todos] : []),
    ...(has(/^clock_/) ? [phrases.clock] : []),
    ...(further.length > 0 ? [`${phrases.further} ${further.join(', ')}`] : []),
  ];
  return [
    phrases.me(name),
    places.length > 0 ? phrases.searches(joinNames(places, phrases)) : phrases.nothingToSearch,
    ...(tables.length > 0 ? [phrases.computes(joinNames(tables, phrases))] : []),
    ...(abilities.length > 0 ? [phrases.can(joinNames(abilities, phrases))] : []),
  ].join(' ');
}
