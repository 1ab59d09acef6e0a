import * as z from 'zod';
import * as s from '../../schema/schema.ts';
import { answerOf } from '../../settings/answer-schema.ts';
import {
  type KbSettings,
  kbSettingDefaults,
  kbSettingKeys,
  kbSettingSchemas,
  recipeKeys,
  type SparseKbSettings,
  searchSettingSchemas,
} from './keys.ts';

/** The method names of older clients. */
const methods: Record<string, [method: string, rerank?: boolean]> = {
  full_text_search: ['full_text'],
  semantic_search: ['semantic'],
  hybrid_search: ['hybrid_bm25'],
  hybrid_reranking: ['hybrid_bm25', true],
};

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Flattens the nested settings of older clients; flat keys stay as they are. */
function flat(input: unknown): unknown {
  if (!isObject(input)) return input;
  const { ingestion, retrieval, ...rest } = input;
  const out: Fields = { ...(isObject(ingestion) && ingestion), ...rest };
  if (isObject(retrieval)) {
    const { type, hybrid_settings, reranker_settings, ...more } = retrieval;
    Object.assign(
      out,
      more,
      isObject(hybrid_settings) && hybrid_settings,
      isObject(reranker_settings) && reranker_settings,
    );
    if (type !== undefined) out['retrieval_method'] = type;
  }
  const named = out['retrieval_method'];
  const [method, rerank] = (typeof named === 'string' && Object.hasOwn(methods, named) && methods[named]) || [];
  if (method) out['retrieval_method'] = method;
  // An old method name also says whether results are reranked.
  if (method) out['reranking_enabled'] ??= rerank === true;
  return out;
}

const sparse = s.sparse(kbSettingSchemas);
/** Settings as clients send them: any of the keys, no others. */
export const kbSettingsInput = z.preprocess(flat, sparse) as unknown as typeof sparse;

const sparseSearch = s.sparse(searchSettingSchemas);
/** Settings on trial in a search: those that a search goes by, no others. */
export const searchSettingsInput = z.preprocess(flat, sparseSearch) as unknown as typeof sparseSearch;

const allKeys = () =>
  z.looseObject(Object.fromEntries(Object.entries(kbSettingKeys).map(([name, key]) => [name, answerOf(key)])));

/** Settings in answers: every key is there, `embedding_model` with the models in force. Made when it is first read. */
export const kbSettingsAnswer = z.lazy(allKeys).meta({
  id: 'KnowledgeBaseSettings',
  description: 'All settings with the values in force: the defaults, then what was set.',
});

/** The settings in force: the defaults, then the stored values. */
export const effective = (set: SparseKbSettings): KbSettings => ({ ...kbSettingDefaults, ...set });

/** The entities to anonymize, independent of their labels and order. */
const entitiesOf = ({ pii_anonimization }: KbSettings) => [
  ...new Set(pii_anonimization.map(({ value }) => value).toSorted()),
];

/** The settings that a training depends on, as one text to compare. */
export const recipeOf = (settings: KbSettings): string =>
  JSON.stringify(
    recipeKeys.map((name) =>
      name === 'pii_anonimization' ? entitiesOf(settings) : settings[name as keyof KbSettings],
    ),
  );
