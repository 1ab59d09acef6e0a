import { Readable } from 'node:stream';
import { InvalidRequest, invalid } from '@atrium/contract/errors.ts';
import type { GenericTrain } from '@atrium/contract/knowledge-bases/inputs.ts';
import { effective, recipeOf } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { SitePatch } from '@atrium/contract/knowledge-bases/sites/schema.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { UploadedFile } from '../../../lib/route.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Files, ReceivedFile } from '../../files/service.ts';
import { unknownReference } from '../../settings/service.ts';
import * as store from '../documents/document-store.ts';
import { requestRebuild } from '../index/request-rebuild.ts';
import type { KbQueue } from '../ports.ts';
import type { Rights } from '../rights/rights.ts';
import type { KnowledgeBases } from '../service.ts';
import { nameOfAddress } from '../sites/page-address.ts';
import type { Sites } from '../sites/sites.ts';
import { type BaseRow, updateBase } from '../store.ts';
import { makeStartTrainings } from './start-trainings.ts';

/** The folder of new documents, and who sees them, as a query has it. */
interface Destination {
  prefix: string;
  visible_to?: string | undefined;
}

/** Adds documents and queues their trainings. Every verb returns the ids of the ingestion runs. */
export interface Trainings {
  /** The files of a form; none of them counts before the form is complete. */
  upload(scope: Scope, kb_id: string, to: Destination, sent: AsyncIterable<UploadedFile>): Promise<string[]>;
  /** Stored files and web addresses. */
  generic(scope: Scope, kb_id: string, to: Destination, input: GenericTrain): Promise<string[]>;
  /** Trains all documents that failed again. */
  retry(scope: Scope, kb_id: string): Promise<string[]>;
  /** Trains the documents again that were trained by other settings, and rebuilds the index. */
  reindex(scope: Scope, kb_id: string): Promise<string[]>;
}

const isWeb = (uri: string) => /^https?:\/\//i.test(uri);
/** Reads the id of `store://<file id>`; other schemes with a file id are accepted too. */
const fileIdIn = (uri: string) =>
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/i.exec(uri)?.[1]?.toLowerCase();

/** Smaller files are held in memory while the next files of the form arrive. */
const smallBytes = 256 * 1024;
const atOnce = 16;

/** Reads the beginning of a stream; returns the whole stream again, and whether it is complete already. */
async function peekStream(stream: Readable): Promise<{ whole: boolean; content: Readable }> {
  const head: Buffer[] = [];
  let size = 0;
  const rest = stream[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return { whole: true, content: Readable.from([Buffer.concat(head)]) };
    head.push(value as Buffer);
    size += (value as Buffer).length;
    if (size <= smallBytes) continue;
    async function* all() {
      yield* head;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value as Buffer;
    }
    return { whole: false, content: Readable.from(all()) };
  }
}

/**
 * Stores the files of a form, several small ones at once, because most of the time of each is waiting for the disk.
 * Returns them in the order of the form. After a failure, `undo` is called for each stored file.
 */
async function storeUploadedFiles<T>(
  sent: AsyncIterable<UploadedFile>,
  store: (filename: string, content: Readable) => Promise<T>,
  undo: (stored: T) => Promise<unknown>,
): Promise<T[]> {
  const stored: Promise<T>[] = [];
  const busy = new Set<Promise<unknown>>();
  try {
    for await (const { filename, stream } of sent) {
      const { whole, content } = await peekStream(stream);
      const storing = store(filename, content);
      stored.push(storing);
      const ended: Promise<unknown> = storing.then(
        () => busy.delete(ended),
        () => busy.delete(ended),
      );
      busy.add(ended);
      // A large file streams through, so the next one can't be read before its end.
      if (!whole) await storing;
      while (busy.size >= atOnce) await Promise.race(busy);
    }
    return await Promise.all(stored);
  } catch (error) {
    for (const result of await Promise.allSettled(stored)) if (result.status === 'fulfilled') await undo(result.value);
    throw error;
  }
}

export function makeTrainings(deps: {
  db: Database;
  bases: KnowledgeBases;
  files: Files;
  sites: Sites;
  queue: KbQueue;
  rights: Rights;
}): Trainings {
  const { db, bases, files, sites, queue, rights } = deps;
  const trainings = makeStartTrainings(queue);
  const placeOf = (base: BaseRow) => ({ workspace_id: base.group_id, kb_id: base.id });

  const addDocuments = (
    scope: Scope,
    base: BaseRow,
    documents: readonly store.NewDocument[],
    received: readonly ReceivedFile[] = [],
  ) =>
    db.transaction(scope, async (tx) => {
      if (received.length) await files.record(tx, scope, received);
      return trainings.startNew(tx, placeOf(base), base.settings, documents);
    });

  const newDocument = (name: string, prefix: string, more: Partial<store.NewDocument>): store.NewDocument => ({
    id: newId(),
    name,
    prefix,
    status: 'uploaded',
    size: 0,
    source_type: 'document',
    file_id: null,
    owns_file: false,
    source_url: null,
    doc_type: null,
    doc_metadata: {},
    visible_to: null,
    ...more,
  });

  /** A document for a web address; an invalid address is refused before anything is stored. */
  function fromAddress(url: string, loc: string[], prefix: string, name?: string): store.NewDocument {
    if (!isWeb(url) || !URL.canParse(url)) throw invalid(loc, 'an address starts with http:// or https://', url);
    return newDocument(name ?? nameOfAddress(url), prefix, { source_type: 'website', source_url: url });
  }

  /** Adds each address as a site that is crawled; returns one run for each. */
  async function crawl(
    scope: Scope,
    base: BaseRow,
    { prefix, visible_to }: { prefix: string; visible_to: readonly string[] | null | undefined },
    { source_type, config: { files: given = [], urls = [] } }: GenericTrain['source'],
    crawlSettings: Omit<SitePatch, 'visible_to'>,
  ): Promise<string[]> {
    const at = ['body', 'source'];
    if (source_type !== 'website')
      throw invalid([...at, 'source_type'], 'only a website has links to follow', source_type);
    return db.transaction(scope, async (tx) => {
      const run_ids: string[] = [];
      for (const url of [...urls, ...given.map(({ uri }) => uri)])
        run_ids.push(
          (await sites.add(tx, scope, base.id, { url, prefix, visible_to, ...crawlSettings }, [...at, 'config']))[1],
        );
      return run_ids;
    });
  }

  return {
    async upload(scope, kb_id, { prefix, ...to }, sent) {
      const base = await bases.find(scope, kb_id);
      const visible_to = await rights.wordsForQuery(scope, to.visible_to);
      const received = await storeUploadedFiles(
        sent,
        (filename, stream) => files.receive(scope, { filename, stream, source_metadata: { kb_id } }),
        (file: ReceivedFile) => files.discard(scope, file),
      );
      const documents = received.map(({ id: file_id, filename, size, content_type: doc_type }) =>
        newDocument(filename, prefix, { file_id, size, doc_type, owns_file: true, visible_to }),
      );
      try {
        return await addDocuments(scope, base, documents, received);
      } catch (error) {
        for (const file of received) await files.discard(scope, file, error);
        throw error;
      }
    },

    async generic(scope, kb_id, { prefix, ...to }, { source }) {
      const base = await bases.find(scope, kb_id);
      const visible_to = await rights.wordsForQuery(scope, to.visible_to);
      const at = ['body', 'source'];
      const { files: given = [], urls = [] } = source.config;
      if (!['document', 'website', 'custom'].includes(source.source_type))
        throw invalid(
          [...at, 'source_type'],
          `no ${source.source_type} is connected to this workspace`,
          source.source_type,
        );
      if (given.length + urls.length === 0)
        throw invalid([...at, 'config'], 'it should have files or urls', source.config);
      const { depth, max_pages, schedule, on_gone } = source.config;
      const crawlSettings = { depth, max_pages, schedule, on_gone };
      if (Object.values(crawlSettings).some((value) => value !== undefined))
        return crawl(
          scope,
          base,
          { prefix, visible_to: to.visible_to === undefined ? undefined : visible_to },
          source,
          crawlSettings,
        );
      const ids = given.map(({ uri }) => (isWeb(uri) ? undefined : (fileIdIn(uri) ?? '')));
      const known = await files.exists(
        scope,
        ids.flatMap((id) => id ?? []),
      );
      const validationErrors = given.flatMap(({ uri }, index) => {
        const id = ids[index];
        const loc = [...at, 'config', 'files', String(index), 'uri'];
        return id === undefined || known.has(id) ? [] : [unknownReference({ kind: 'file', id: uri, loc })];
      });
      if (validationErrors.length) throw new InvalidRequest(validationErrors);
      const documents: store.NewDocument[] = [];
      for (const [index, sent] of given.entries()) {
        const file_id = ids[index];
        const loc = [...at, 'config', 'files', String(index), 'uri'];
        const file = file_id ? await files.get(scope, file_id) : undefined;
        const document = file
          ? newDocument(sent.name ?? file.filename, prefix, {
              file_id: file.id,
              size: file.size,
              doc_type: file.content_type,
              source_type: source.source_type,
            })
          : fromAddress(sent.uri, loc, prefix, sent.name);
        documents.push({ ...document, doc_metadata: sent.doc_metadata ?? {} });
      }
      for (const [index, url] of urls.entries())
        documents.push(fromAddress(url, [...at, 'config', 'urls', String(index)], prefix));
      return addDocuments(
        scope,
        base,
        documents.map((document) => ({ ...document, visible_to })),
      );
    },

    async retry(scope, kb_id) {
      const base = await bases.find(scope, kb_id);
      return db.transaction(scope, async (tx) => {
        const failed = await store.findTrainableDocuments(tx, scope.workspace_id, kb_id, { error: true });
        const ids = failed.map(({ id }) => id);
        return trainings.startAgain(tx, placeOf(base), base.settings, ids);
      });
    },

    async reindex(scope, kb_id) {
      const base = await bases.find(scope, kb_id);
      const { workspace_id } = scope;
      const recipe = recipeOf(effective(base.settings));
      return db.transaction(scope, async (tx) => {
        const outdated = await store.findTrainableDocuments(tx, workspace_id, kb_id, { recipe_not: recipe });
        const ids = outdated.map(({ id }) => id);
        const run_ids = await trainings.startAgain(tx, placeOf(base), base.settings, ids);
        await updateBase(tx, workspace_id, kb_id, { needs_reindex: false });
        const rebuild = await requestRebuild(tx, queue, { workspace_id, kb_id });
        // How many documents are trained tells of documents that the caller may not see.
        return (await rights.forLists(scope, kb_id)) === 'all' ? [...run_ids, rebuild] : [rebuild];
      });
    },
  };
}
