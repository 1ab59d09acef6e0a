import * as s from '../../schema/schema.ts';
import { key, type SettingKey, type ValuesOf } from '../../settings/key.ts';
import { piiEntriesOf, piiList } from '../../settings/safety.ts';

const size = s.int({ ge: 50, le: 1_000_000 });
const overlap = s.int({ ge: 0, le: 500_000 });
const share = s.number({ ge: 0, le: 1 });
const names = s.list(s.str({ min: 1, max: 300 }), { max: 20 });
const layout = () => key(s.str({ max: 10_000 }), '', 'Layout string', 'layout');
const on = (effect: string, fallback: boolean, test: string) => key(s.bool(), fallback, effect, { test });

/** How passages are found. */
const retrieval = {
  retrieval_method: key(
    s.oneOf(['hybrid_bm25', 'full_text', 'semantic']),
    'hybrid_bm25' as 'hybrid_bm25' | 'full_text' | 'semantic',
    'full_text (BM25), semantic (vectors) or hybrid_bm25 (both, fused)',
    { test: 'retrieval_method chooses words, vectors or both' },
  ),
  retrieval_top_k: key(s.int({ ge: 1, le: 1000 }), 25, 'Passages of each method, and the most that come out', {
    test: 'retrieval_top_k limits what comes out',
  }),
  retrieval_top_k_window: key(
    s.list(s.int({ ge: 0, le: 20 }), { max: 2 }),
    [] as number[],
    '[before, after]: neighbouring passages joined to a hit',
    { test: 'retrieval_top_k_window joins neighbours to a hit' },
  ),
  fts_weight: key(share, 0.7, 'Weight of the ranks by words', {
    test: 'fts_weight, semantic_weight and rrf_k make the score',
  }),
  semantic_weight: key(share, 0.3, 'Weight of the ranks by vectors', {
    test: 'fts_weight, semantic_weight and rrf_k make the score',
  }),
  rrf_k: key(s.int({ ge: 1, le: 10_000 }), 60, 'score = sum of weight / (rrf_k + rank)', {
    test: 'fts_weight, semantic_weight and rrf_k make the score',
  }),
  threshold_enabled: on('Whether the threshold counts', false, 'the threshold cuts after the fusion'),
  threshold: key(share, 0, 'Least score, 1 being the best possible', { test: 'the threshold cuts after the fusion' }),
  reranking_enabled: on('Whether the best are scored again', false, 'reranking scores the best again and keeps those'),
  rerankers: key(names, [] as string[], 'Rerankers to try in turn: hosted, llm or provider/model', {
    test: 'the first of rerankers that answers is used',
  }),
  reranker_type: key(
    s.oneOf(['hosted', 'llm']),
    'hosted' as 'hosted' | 'llm',
    'Used when no reranker of the list answers',
    {
      test: 'reranker_type llm lets the language model score',
    },
  ),
  reranker_top_k: key(s.int({ ge: 1, le: 200 }), 10, 'How many are scored again', {
    test: 'reranking scores the best again and keeps those',
  }),
  reranker_threshold_enabled: on(
    'Whether its threshold counts',
    false,
    'reranker_threshold drops what the reranker scores low',
  ),
  reranker_threshold: key(share, 0, 'Least score by the reranker', {
    test: 'reranker_threshold drops what the reranker scores low',
  }),
  hosted_model: key(s.str({ max: 300 }), 'semantic-ranker-512@latest', 'Model of the hosted ranking API', {
    test: 'reranking scores the best again and keeps those',
  }),
};

/** How texts become passages. */
const ingestion = {
  batch_size: key(s.int({ ge: 1, le: 256 }), 8, 'Passages embedded in one call; documents trained at once', {
    test: 'batch_size is how many passages one call embeds and how many documents are trained at once',
  }),
  default_chunk_size: key(size, 2048, 'Characters of a passage, for formats without a pair of their own', {
    test: 'default_chunk_size and default_chunk_overlap cut what has no pair of its own',
  }),
  default_chunk_overlap: key(overlap, 512, 'Characters that two passages share, nine tenths of one at most', {
    test: 'default_chunk_size and default_chunk_overlap cut what has no pair of its own',
  }),
  enrich_chunks_mode: key(
    s.oneOf(['inject_summary', 'contextual', 'none']),
    'inject_summary' as 'inject_summary' | 'contextual' | 'none',
    'What is indexed before each passage and not shown',
    { test: 'enrich_chunks_mode indexes a summary or a context with each passage' },
  ),
  enrich_pre_made_qa: on(
    'Questions that a passage answers are indexed with it',
    false,
    'enrich_pre_made_qa finds a passage by a question it answers',
  ),
  auto_summary: on(
    'Summaries of documents and of the base',
    true,
    'auto_summary writes summaries of documents and of the base',
  ),
};

/** What is read of each format. */
const formats = {
  pdf_extract_images: on('Images are kept beside the passages', true, 'pdf_extract_images keeps the images of a PDF'),
  pdf_chunk_size: key(size, 1024, 'Characters of a passage of a PDF', {
    test: 'pdf_chunk_size and pdf_chunk_overlap cut PDFs',
  }),
  pdf_chunk_overlap: key(overlap, 256, 'Characters that two of them share', {
    test: 'pdf_chunk_size and pdf_chunk_overlap cut PDFs',
  }),
  pdf_ocr_enabled: on(
    'Pages without text are read by OCR',
    false,
    'pdf_ocr_enabled, pdf_ocr_confidence and pdf_ocr_language say what is read of a page without text',
  ),
  pdf_ocr_confidence: key(share, 0.7, 'Words less certain are dropped', {
    test: 'pdf_ocr_enabled, pdf_ocr_confidence and pdf_ocr_language say what is read of a page without text',
  }),
  pdf_ocr_language: key(s.str({ pattern: /^(auto|[a-z]{3}(_[a-z]+)?)$/ }), 'auto', 'Language of the page, or auto', {
    test: 'pdf_ocr_enabled, pdf_ocr_confidence and pdf_ocr_language say what is read of a page without text',
  }),
  text_chunking_enabled: on(
    'False: a whole text is one passage',
    true,
    'text_chunking_enabled false keeps a text whole',
  ),
  text_chunk_size: key(size, 1024, 'Characters of a passage of a text', {
    test: 'text_chunk_size and text_chunk_overlap cut texts',
  }),
  text_chunk_overlap: key(overlap, 256, 'Characters that two of them share', {
    test: 'text_chunk_size and text_chunk_overlap cut texts',
  }),
  text_preserve_formatting: on(
    'False: white space is folded',
    true,
    'text_preserve_formatting false folds white space',
  ),
  html_extract_text_only: on('Addresses of links are left out', true, 'the html settings say what of a page is kept'),
  html_include_tables: on('Tables are kept', true, 'the html settings say what of a page is kept'),
  html_include_images: on('What is said of images is kept', false, 'the html settings say what of a page is kept'),
  html_ingest_as_markdown: on(
    'Headings, lists and tables keep their marks',
    true,
    'the html settings say what of a page is kept',
  ),
  image_ocr_enabled: on(
    'Text in images is read',
    false,
    'image_ocr_enabled and image_ocr_confidence say which words of an image are read',
  ),
  image_ocr_confidence: key(share, 0.7, 'Words less certain are dropped', {
    test: 'image_ocr_enabled and image_ocr_confidence say which words of an image are read',
  }),
  csv_row_as_document: on('Each row is a passage of its own', false, 'csv_row_as_document makes a passage of each row'),
  csv_include_headers: on(
    'Rows say header: value',
    true,
    'csv_include_headers false leaves the names of columns out of rows',
  ),
  csv_auto_detect_delimiter: on(
    'The delimiter is found out',
    true,
    'csv_delimiter holds when it is not to be found out',
  ),
  csv_delimiter: key(s.str({ pattern: /^[^\r\n"]$/ }), ',', 'The delimiter, when it is not found out', {
    test: 'csv_delimiter holds when it is not to be found out',
  }),
  csv_encoding: key(s.str({ pattern: /^[\w.:-]{1,40}$/ }), 'utf-8', 'Encoding of the bytes; another one is an error', {
    test: 'csv_encoding reads old encodings, and a wrong one is an error',
  }),
  xlsx_row_as_document: on('Each row is a passage of its own', false, 'the xlsx settings make passages of rows'),
  xlsx_include_headers: on('Rows say header: value', true, 'the xlsx settings make passages of rows'),
  tabular_ingest_all_rows: on(
    'False: the first 1,000 rows as text, all of them as a table; true: all as text',
    false,
    'tabular_ingest_all_rows false keeps all rows in a table that can be queried',
  ),
  tabular_max_rows: key(s.int({ ge: 1, le: 1_000_000 }), 50_000, 'Never more rows than these; the document says so', {
    test: 'tabular_ingest_all_rows and tabular_max_rows say how many rows are read',
  }),
};

const embedding = {
  embedding_model: key(names, [] as string[], 'Embedding models to try in turn; empty: the default one', {
    test: 'embedding_model is what vectors are made by',
  }),
  embedding_dimension: key(
    s.int({ ge: 1, le: 16_384 }),
    null as number | null,
    'What vectors must have; null: as they come',
    {
      test: 'embedding_dimension that the model does not keep is told, and the words are found nevertheless',
    },
  ),
  mm_embedding_model: key(names, [] as string[], 'Models that embed pictures, to try in turn', {
    test: 'mm_embedding_model finds pictures by what is seen in them',
  }),
};

const privacy = {
  pii_anonimization: key(
    piiList,
    piiEntriesOf(['EMAIL_ADDRESS', 'PHONE_NUMBER', 'CREDIT_CARD', 'IBAN_CODE']),
    'Entities replaced by placeholders in what summary, enrichment, embedding and reranking models get; empty: off',
    { test: 'no raw value of an uploaded document or a question reaches a model, and users read the original' },
  ),
};

const citation = {
  citation_mode: key(
    s.oneOf(['source_url', 'document', 'metadata']),
    'source_url' as 'source_url' | 'document' | 'metadata',
    'What `source` is: an address, the name of the document, or its metadata at citation_url_key',
    { test: 'citation_mode and citation_title_mode say how a hit is cited' },
  ),
  citation_url_key: key(s.str({ max: 200 }), '', 'Key of the metadata that holds the address', {
    test: 'citation_mode and citation_title_mode say how a hit is cited',
  }),
  citation_title_mode: key(
    s.oneOf(['document_name', 'metadata', 'heading']),
    'document_name' as 'document_name' | 'metadata' | 'heading',
    'What a citation is called',
    { test: 'citation_mode and citation_title_mode say how a hit is cited' },
  ),
  citation_title_key: key(s.str({ max: 200 }), '', 'Key of the metadata that holds the title', {
    test: 'citation_mode and citation_title_mode say how a hit is cited',
  }),
};

const infos = {
  retrieval_info: layout(),
  ingestion_info: layout(),
  pdf_info: layout(),
  text_info: layout(),
  html_info: layout(),
  image_info: layout(),
};

const keys = { ...retrieval, ...ingestion, ...formats, ...embedding, ...privacy, ...citation, ...infos };
export type KbSettingName = keyof typeof keys;
export const kbSettingKeys: Record<KbSettingName, SettingKey<never>> = keys as never;

/** Every key with a value. */
export type KbSettings = ValuesOf<typeof keys>;
/** The keys that somebody set; what is stored. */
export type SparseKbSettings = Partial<KbSettings>;

/** What documents are made of: a change of one of these is a reason to train them again. */
export const recipeKeys: readonly KbSettingName[] = [
  ...(Object.keys(formats) as KbSettingName[]),
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
