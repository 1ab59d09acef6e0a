import { keysOf } from '../../keys-of.ts';
import * as s from '../../schema/schema.ts';
import { defaultsOf, key, onlyIf, type SettingKey, schemasOf, type ValuesOf } from '../../settings/key.ts';
import { formats } from './format-keys.ts';
import { embedding, ingestion, privacy } from './ingestion-keys.ts';
import { retrieval } from './retrieval-keys.ts';

const cited = { test: 'citation_mode and citation_title_mode say how a hit is cited' };

/** How hits are cited. */
const citation = {
  citation_mode: key({
    label: 'Source of a citation',
    help: 'What `source` of a hit is: the address, the name of the document, or a value of its metadata.',
    section: 'Citations',
    schema: s.oneOf(['source_url', 'document', 'metadata']),
    fallback: 'source_url',
    options: { source_url: 'Address', document: 'Name of the document', metadata: 'Metadata' },
    evidence: cited,
  }),
  citation_url_key: key({
    label: 'Metadata key of the address',
    help: 'The key of the metadata that holds the address.',
    section: 'Citations',
    schema: s.str({ max: 200 }),
    fallback: '',
    shownWhen: onlyIf('citation_mode', 'metadata'),
    evidence: cited,
  }),
  citation_title_mode: key({
    label: 'Title of a citation',
    help: 'What a citation is called: the name of the document, a value of its metadata, or the nearest heading.',
    section: 'Citations',
    schema: s.oneOf(['document_name', 'metadata', 'heading']),
    fallback: 'document_name',
    options: { document_name: 'Name of the document', metadata: 'Metadata', heading: 'Heading' },
    evidence: cited,
  }),
  citation_title_key: key({
    label: 'Metadata key of the title',
    help: 'The key of the metadata that holds the title.',
    section: 'Citations',
    schema: s.str({ max: 200 }),
    fallback: '',
    shownWhen: onlyIf('citation_title_mode', 'metadata'),
    evidence: cited,
  }),
};

const layoutString = (label: string) =>
  key({
    label,
    help: 'Text for the layout of a settings screen; stored and returned as it came.',
    section: 'Layout strings',
    control: 'none',
    schema: s.str({ max: 10_000 }),
    fallback: '',
    evidence: 'layout',
  });

const layout = {
  retrieval_info: layoutString('Note on retrieval'),
  ingestion_info: layoutString('Note on ingestion'),
  pdf_info: layoutString('Note on PDF'),
  text_info: layoutString('Note on text'),
  html_info: layoutString('Note on web pages'),
  image_info: layoutString('Note on images'),
};

/** The settings of a knowledge base, in the parts that forms show them in. The order is that of answers. */
export const kbSettingGroups = { retrieval, ingestion, formats, embedding, privacy, citation, layout };

const keys = { ...retrieval, ...ingestion, ...formats, ...embedding, ...privacy, ...citation, ...layout };
export type KbSettingName = keyof typeof keys;
export const kbSettingKeys: Record<KbSettingName, SettingKey> = keys;
export const kbSettingSchemas = schemasOf(keys);
/** The settings that a search goes by; documents are not trained by them. */
export const searchSettingSchemas = schemasOf({ ...retrieval, ...privacy, ...citation });
export const kbSettingDefaults: KbSettings = defaultsOf(keys);

/** Every key with a value. */
export type KbSettings = ValuesOf<typeof keys>;
/** The keys that a caller has set, as they are stored. */
export type SparseKbSettings = Partial<KbSettings>;

/** The settings that documents are made by: after a change of one, documents have to be trained again. */
export const recipeKeys: readonly KbSettingName[] = [
  ...keysOf(formats),
  ...([
    'default_chunk_size',
    'default_chunk_overlap',
    'enrich_chunks_mode',
    'enrich_pre_made_qa',
    'auto_summary',
    'mm_embedding_model',
    'pii_anonimization',
  ] as const),
];
