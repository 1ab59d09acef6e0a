import { Readable } from 'node:stream';
import type { Database } from '../../../db/database.ts';
import type { Extract, Extracted } from '../../../drivers/extractors/driver.ts';
import type { Web } from '../../../drivers/web/driver.ts';
import { newId } from '../../../lib/ids.ts';
import type { JobContext } from '../../../lib/job.ts';
import { errorFields } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Files } from '../../files/service.ts';
import type { Embedders } from '../../models/embedders.ts';
import type { SmallQuestions } from '../../models/small-questions.ts';
import { openly } from '../../models/veil.ts';
import { setEmbeddingHealth } from '../base-store.ts';
import { indexText } from '../index/index-text.ts';
import { effective, recipeOf } from '../settings/settings.ts';
import { systemScope } from '../system-scope.ts';
import { choicesOf, chunkRuleOf, formatOf } from './choices.ts';
import { chunk } from './chunk.ts';
import { embedAll } from './embed.ts';
import { enrich } from './enrich.ts';
import { openSource, reasonOf } from './source.ts';
import {
  beginTraining,
  failTraining,
  type MadeChunk,
  stepTraining,
  storeTrained,
  type Trained,
  type Training,
  type TrainingRow,
} from './training-store.ts';

export interface TrainDeps {
  db: Database;
  files: Files;
  web: Web;
  extract: Extract;
  embedders: Embedders;
  questions: SmallQuestions;
  /** Says that passages of a base wait for its index. */
  nudge(workspace_id: string, kb_id: string): void;
}

interface TrainingGroup {
  workspace_id: string;
  kb_id: string;
  runs: readonly { document_id: string; run_id: string }[];
}

/** A text beyond this is no document any more. */
const longestText = 20_000_000;
const mostImages = 200;
/** A document that was begun so often and never finished ends the process, or never ends. */
const mostBegun = 5;
const mostFailures = 3;

/** One document, from its bytes to passages that wait for the index. Each step may be done again after a crash. */
export function makeTrain(deps: TrainDeps) {
  const { db, files } = deps;

  async function keepImages(scope: Scope, training: Training, extracted: Extracted): Promise<Trained['images']> {
    const kept: { file_id: string; page: number | null; alt: string; at: number }[] = [];
    for (const { name, data, page, alt, at } of extracted.images.slice(0, mostImages)) {
      const { kb_id, document_id } = training;
      const file = await files.save(scope, {
        filename: name,
        stream: Readable.from([data]),
        source_type: 'Custom',
        source_metadata: { kb_id, document_id, page },
      });
      kept.push({ file_id: file.id, page, alt, at });
    }
    return kept;
  }

  async function made(scope: Scope, training: Training, row: TrainingRow): Promise<Trained> {
    const settings = effective(row.settings);
    const step = async (stage: string, progress: number) => void (await stepTraining(db, training, stage, progress));
    const source = await openSource(deps, scope, row);
    const format = formatOf(source.content_type, source.filename);
    const extracted = await deps
      .extract(source.content, {
        ...choicesOf(settings, format),
        filename: source.filename,
        content_type: source.content_type,
        max_chars: longestText,
        signal: scope.signal,
        progress: (pages, of) => void step('extract', Math.floor((30 * pages) / Math.max(1, of))).catch(() => {}),
      })
      .finally(() => source.content.destroy());
    const pieces = chunk(extracted, chunkRuleOf(settings, format));
    const notes = [...extracted.warnings];
    if (pieces.length === 0) notes.push('There is no text in it');
    if (settings.mm_embedding_model.length > 0 && extracted.images.length > 0)
      notes.push('Its images were kept and not embedded: there is no way to do that yet');

    const model = await deps.questions(scope, openly);
    const ask = model && ((question: Parameters<typeof model.ask>[0]) => model.ask(question, scope.signal));
    if (model) await step('enrich', 35);
    const enriched = await enrich(settings, { name: row.name, text: extracted.text }, pieces, ask, (done) =>
      step('enrich', 35 + Math.floor(25 * done)),
    );
    const chunks = pieces.map((piece, position): MadeChunk => {
      const [context = '', questions = []] = [enriched.contexts[position], enriched.questions[position]];
      return { ...piece, id: newId(), position, context, questions, embedding: null };
    });
    const embedding_model = await embedded(scope, training, row, settings, chunks, step);
    const images = settings.pdf_extract_images ? await keepImages(scope, training, extracted) : [];
    return {
      chunks,
      embedding_model,
      size: source.size || row.size,
      doc_type: source.content_type.split(';', 1)[0] || null,
      notes: [...notes, ...enriched.notes],
      language: extracted.language,
      pages: extracted.pages,
      short_summary: enriched.short_summary,
      summary: enriched.summary,
      images,
      doc_metadata: { ...(extracted.title !== null && { title: extracted.title }), ...row.doc_metadata },
      recipe: recipeOf(settings),
    };
  }

  /** Vectors for the passages, where an embedding model is asked for; which made them. */
  async function embedded(
    scope: Scope,
    { workspace_id, kb_id }: Training,
    row: TrainingRow,
    settings: ReturnType<typeof effective>,
    chunks: MadeChunk[],
    step: (stage: string, progress: number) => Promise<void>,
  ): Promise<string | null> {
    if (deps.embedders.inForce(settings.embedding_model).length === 0 || chunks.length === 0) return null;
    const embedder = await deps.embedders.resolve(scope, settings.embedding_model);
    if ('reason' in embedder) {
      await setEmbeddingHealth(db, workspace_id, kb_id, { error: embedder.reason, detected: null });
      return null;
    }
    await step('embed', 60);
    const texts = chunks.map((own) => indexText({ ...own, name: row.name }));
    const { vectors, error, detected } = await embedAll(
      embedder,
      texts,
      { batch: settings.batch_size, dimension: settings.embedding_dimension, signal: scope.signal },
      (done) => step('embed', 60 + Math.floor(30 * done)),
    );
    await setEmbeddingHealth(db, workspace_id, kb_id, { error, detected });
    chunks.forEach((own, index) => {
      own.embedding = vectors[index] ?? null;
    });
    return embedder.name;
  }

  async function one({ log, signal }: JobContext, training: Training): Promise<void> {
    const row = await beginTraining(db, training);
    // Another training took its place, or it got as far as the index before a crash.
    if (!row) return deps.nudge(training.workspace_id, training.kb_id);
    const scope = systemScope({ ...training, tenant_id: row.tenant_id }, log, signal);
    if (row.begun > mostBegun)
      return failTraining(db, training, {
        code: 'gave_up',
        message: `It was begun ${mostBegun} times and never finished: it takes too much memory or time`,
      });
    try {
      const result = await made(scope, training, row);
      const stored = await db.transaction(undefined, (tx) => storeTrained(tx, training, result));
      const outdated = stored ? row.images : result.images;
      for (const { file_id } of outdated) await files.remove(scope, file_id).catch(() => {});
      deps.nudge(training.workspace_id, training.kb_id);
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonOf(error);
      if (reason) return failTraining(db, training, reason);
      if (row.begun < mostFailures) throw error;
      log.error('A document could not be trained', { document_id: training.document_id, ...errorFields(error) });
      await failTraining(db, training, { code: 'internal', message: 'Something went wrong on our side' });
    }
  }

  /** Each stands and falls by itself: what went wrong with one is tried again when all others are done. */
  return async (context: JobContext, { runs, ...place }: TrainingGroup): Promise<void> => {
    const failures: unknown[] = [];
    for (const run of runs) {
      context.signal.throwIfAborted();
      await one(context, { ...place, ...run }).catch((error: unknown) => failures.push(error));
    }
    context.signal.throwIfAborted();
    if (failures.length) throw failures[0];
  };
}
