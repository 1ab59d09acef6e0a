import { Readable } from 'node:stream';
import { AppError } from '@atrium/contract/errors.ts';
import type { File } from '@atrium/contract/files/schema.ts';
import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { effective, recipeOf } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { Database } from '../../../db/database.ts';
import type { Extract, Extracted } from '../../../drivers/extractors/driver.ts';
import type { Web } from '../../../drivers/web/driver.ts';
import type { JobContext } from '../../../lib/define-job.ts';
import { newId } from '../../../lib/ids.ts';
import { errorFields } from '../../../lib/log.ts';
import { isOutage } from '../../../lib/outages/is-outage.ts';
import type { Scope } from '../../../lib/scope.ts';
import { systemScope } from '../../../lib/system-scope.ts';
import { chunk } from '../../chunking/service.ts';
import type { Embedders } from '../../embeddings/service.ts';
import type { Files } from '../../files/service.ts';
import type { ModelQuestions } from '../../model-questions/service.ts';
import type { KbAnonymizers } from '../anonymizers.ts';
import { removeFiles } from '../documents/remove-documents.ts';
import { indexText } from '../index/index-text.ts';
import { carryChanges } from '../passages/carry-changes.ts';
import { findChangedPassages } from '../passages/passage-store.ts';
import type { KbQueue, KbRef, SheetTables } from '../ports.ts';
import { setEmbeddingHealth } from '../store.ts';
import { embedChunks } from './embed-chunks.ts';
import { enrich } from './enrich-document.ts';
import { pictureChunks } from './picture-chunks.ts';
import { chunkRuleFor, readDocument, reasonOf } from './read-document.ts';
import { storeSheets } from './store-sheets.ts';
import { segmentsOf } from './text-segments.ts';
import {
  failTraining,
  type NewChunk,
  startTrainings,
  stepTraining,
  storeTrained,
  type Trained,
  type TrainedDocument,
  type Training,
  type TrainingRow,
} from './training-store.ts';

export interface TrainDeps {
  db: Database;
  files: Files;
  web: Web;
  extract: Extract;
  embedders: Embedders;
  questions: ModelQuestions;
  tables: SheetTables;
  anonymizers: KbAnonymizers;
  queue: Pick<KbQueue, 'syncSoon'>;
}

interface TrainingGroup extends KbRef {
  runs: readonly { document_id: string; run_id: string }[];
}

const mostImages = 200;
/**
 * A document whose training was started so often without an end crashes the process or hangs, so it is given up. The
 * limit is generous, because a server that is killed several times in a row restarts the same documents.
 */
const mostStarts = 12;
const mostFailures = 3;
/** Finished documents are stored together, after so long at the latest. */
const storeAfterMs = 300;

/** Whether PostgreSQL or the store of files is away, which says nothing about a document. */
const isAway = (error: unknown) => isOutage(error) || (error instanceof AppError && error.code === 'unavailable');

export type TrainDocuments = (context: JobContext, group: TrainingGroup) => Promise<void>;

/**
 * Trains documents: reads them, cuts them into passages, enriches and embeds these, and stores them for the index. Every
 * step can be repeated after a crash.
 */
export function makeTrainDocuments(deps: TrainDeps): TrainDocuments {
  const { db, files } = deps;

  async function storeImages(
    scope: Scope,
    training: Training,
    extracted: Extracted,
    rights_id: number | null,
  ): Promise<Trained['images']> {
    const stored: { file_id: string; type: string; page: number | null; alt: string; at: number }[] = [];
    for (const { name, content_type, data, page, alt, at } of extracted.images.slice(0, mostImages)) {
      const { kb_id, document_id } = training;
      const file = await files.save(scope, {
        filename: name,
        stream: Readable.from([data]),
        source_type: 'Custom',
        source_metadata: { kb_id, document_id, page },
        rights_id,
      });
      stored.push({ file_id: file.id, type: content_type, page, alt, at });
    }
    return stored;
  }

  async function buildChunks(
    scope: Scope,
    training: Training,
    row: TrainingRow,
    file: File | undefined,
  ): Promise<Trained> {
    const settings = effective(row.settings);
    const step = async (stage: string, progress: number) => void (await stepTraining(db, training, stage, progress));
    // Progress is only shown: a lost step does no harm.
    const progress = (pages: number, of: number) =>
      void step('extract', Math.floor((30 * pages) / Math.max(1, of))).catch(() => {});
    const { source, format, extracted } = await readDocument(deps, scope, row, file, row.settings, progress);
    const values = await deps.anonymizers.valuesIn(extracted.text, settings);
    const pieces = chunk(extracted, chunkRuleFor(settings, format), values);
    const notes = [...extracted.warnings];
    if (pieces.length === 0) notes.push('There is no text in it');

    const sheets =
      row.rights_id === null
        ? await storeSheets(deps.tables, scope, { ...training, name: row.name }, { settings, format, extracted })
        : { table_ids: [], notes: [] };
    const model = await deps.questions(scope, deps.anonymizers.writing(settings), 'enrichment');
    const ask = model && ((question: Parameters<typeof model.ask>[0]) => model.ask(question, scope.signal));
    if (model) await step('enrich', 35);
    const enriched = await enrich(settings, { name: row.name, text: extracted.text }, pieces, ask, (done) =>
      step('enrich', 35 + Math.floor(25 * done)),
    );
    const made = pieces.map((piece, position): NewChunk => {
      const [context = '', questions = []] = [enriched.contexts[position], enriched.questions[position]];
      return { ...piece, id: newId(), position, context, questions, embedding: null };
    });
    const byHand = row.is_trained ? await findChangedPassages(db, training) : [];
    const carried = carryChanges(
      made,
      byHand.filter(({ seen_by }) => seen_by === null),
    );
    const { chunks } = carried;
    const embedding_model = await embedPassages(scope, training, row, settings, chunks, step);
    const pictures = await pictureChunks(deps.embedders, scope, settings, extracted, chunks.length);
    const shown = carryChanges(
      pictures.chunks,
      byHand.filter(({ seen_by }) => seen_by !== null),
    );
    const lost = carried.lost + shown.lost;
    if (lost) notes.push(`${lost} changed passages no longer fit the document; their changes were dropped`);
    const images = settings.pdf_extract_images ? await storeImages(scope, training, extracted, row.rights_id) : [];
    return {
      chunks: [...chunks, ...shown.chunks],
      embedding_model,
      size: source.size || row.size,
      doc_type: source.content_type.split(';', 1)[0] || null,
      notes: [...notes, ...sheets.notes, ...pictures.notes, ...enriched.notes],
      table_ids: sheets.table_ids,
      language: extracted.language,
      pages: extracted.pages,
      short_summary: enriched.short_summary,
      summary: enriched.summary,
      images,
      doc_metadata: { ...(extracted.title !== null && { title: extracted.title }), ...row.doc_metadata },
      recipe: recipeOf(settings),
      segments: segmentsOf(extracted),
    };
  }

  /** Sets the vectors of the passages, if an embedding model is configured; returns the name of the model. */
  async function embedPassages(
    scope: Scope,
    { workspace_id, kb_id }: Training,
    row: TrainingRow,
    settings: KbSettings,
    chunks: NewChunk[],
    step: (stage: string, progress: number) => Promise<void>,
  ): Promise<string | null> {
    if (deps.embedders.effectiveNames(settings.embedding_model).length === 0 || chunks.length === 0) return null;
    const embedder = await deps.embedders.resolve(scope, settings.embedding_model);
    if ('reason' in embedder) {
      await setEmbeddingHealth(db, workspace_id, kb_id, { error: embedder.reason, detected: null });
      return null;
    }
    await step('embed', 60);
    const texts = chunks.map((own) => indexText({ ...own, name: row.name }));
    const { vectors, error, detected } = await embedChunks(
      embedder,
      texts,
      {
        batch: settings.batch_size,
        dimension: settings.embedding_dimension,
        anonymizer: deps.anonymizers.embedding(settings),
        signal: scope.signal,
      },
      (done) => step('embed', 60 + Math.floor(30 * done)),
    );
    await setEmbeddingHealth(db, workspace_id, kb_id, { error, detected });
    chunks.forEach((own, index) => {
      own.embedding = vectors[index] ?? null;
    });
    return embedder.name;
  }

  /** Undefined when the document can't be trained; then its error is stored. */
  async function trainDocument(scope: Scope, training: Training, row: TrainingRow, file: File | undefined) {
    try {
      return await buildChunks(scope, training, row, file);
    } catch (error) {
      scope.signal.throwIfAborted();
      const reason = reasonOf(error);
      if (!reason && (row.begun < mostFailures || isAway(error))) throw error;
      if (!reason)
        scope.log.error('knowledge.training-failed', {
          document_id: training.document_id,
          ...errorFields(error),
        });
      const internal = { code: 'internal', message: 'Something went wrong on our side' };
      await failTraining(db, training, reason ?? internal);
      return undefined;
    }
  }

  /**
   * Trains documents one after another. Finished ones are stored several at a time, but soon. Returns the errors after
   * which a document has to be tried again.
   */
  async function trainBatch(scope: Scope, place: KbRef, rows: readonly TrainingRow[]): Promise<unknown[]> {
    const failures: unknown[] = [];
    const ids = rows.flatMap(({ file_id }) => file_id ?? []);
    const sources = ids.length ? await files.many(scope, ids) : new Map<string, File>();
    let done: (TrainedDocument & { images: TrainingRow['images'] })[] = [];
    let since = Date.now();
    const store = async () => {
      const batch = done;
      [done, since] = [[], Date.now()];
      if (batch.length === 0) return;
      const stored = await storeTrained(db, place, batch);
      // The images of the training that no longer counts.
      for (const { document_id, trained, images } of batch) {
        // It may have been hidden while it was trained.
        if (stored.get(document_id)?.hidden && trained.table_ids.length)
          await deps.tables.remove(scope, { kb_id: place.kb_id, document_id });
        const outdated = stored.has(document_id) ? images : trained.images;
        await removeFiles(
          files,
          scope,
          outdated.map(({ file_id }) => file_id),
        );
      }
      deps.queue.syncSoon(place);
    };
    for (const row of rows) {
      scope.signal.throwIfAborted();
      const { document_id, run_id, begun, images } = row;
      const training = { ...place, document_id, run_id };
      if (begun > mostStarts) {
        const message = `It was begun ${mostStarts} times and never finished: it takes too much memory or time`;
        await failTraining(db, training, { code: 'gave_up', message });
        continue;
      }
      try {
        const trained = await trainDocument(scope, training, row, sources.get(row.file_id ?? ''));
        if (trained) done.push({ document_id, run_id, begun, images, trained });
      } catch (error) {
        failures.push(error);
      }
      if (Date.now() - since > storeAfterMs) await store();
    }
    await store();
    return failures;
  }

  /**
   * A document that fails does not stop the rest: the job fails at its end and is tried again. After a crash, unfinished
   * documents are started one by one, so that a document that crashes the process is found and given up alone.
   */
  return async ({ log, signal }, { runs, ...place }) => {
    const failures: unknown[] = [];
    const start = async (group: typeof runs, fresh: boolean) => {
      const rows = await startTrainings(db, place, group, fresh);
      const [first] = rows;
      if (first)
        failures.push(
          ...(await trainBatch(systemScope({ ...place, tenant_id: first.tenant_id }, log, signal), place, rows)),
        );
      return rows;
    };
    const fresh = new Set((await start(runs, true)).map(({ run_id }) => run_id));
    for (const run of runs) if (!fresh.has(run.run_id)) await start([run], false);
    // The rest was replaced by newer trainings, or waits for the index since before a crash.
    if (fresh.size < runs.length) deps.queue.syncSoon(place);
    signal.throwIfAborted();
    if (failures.length) throw failures[0];
  };
}
