import { privacy as kbPrivacy } from '@atrium/contract/knowledge-bases/settings/ingestion-keys.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { runInWorker } from '../drivers/bounded-worker.ts';
import { makeExtract } from '../drivers/extractors/extract.ts';
import { readPage } from '../drivers/extractors/html/read-page.ts';
import { findLanguageData, languageCode } from '../drivers/extractors/image/ocr-languages.ts';
import { findEncoding } from '../drivers/extractors/text/find-encoding.ts';
import { makeRankingApi } from '../drivers/rerankers/ranking-api.ts';
import type { RetrievalIndex } from '../drivers/search-index/driver.ts';
import { makeGuardedWeb } from '../drivers/web/guarded-fetch.ts';
import type { Anonymization } from '../features/anonymization/service.ts';
import { endUserId } from '../features/conversations/service.ts';
import { makeCreateEmbeddings } from '../features/embeddings/create-embeddings.ts';
import { embeddingRoutes } from '../features/embeddings/handlers.ts';
import type { Previews } from '../features/files/ports.ts';
import type { Files } from '../features/files/service.ts';
import { makeKbAnonymizers } from '../features/knowledge-bases/anonymizers.ts';
import { makeChangeDocuments } from '../features/knowledge-bases/documents/bulk-documents.ts';
import { documentRoutes } from '../features/knowledge-bases/documents/document-handlers.ts';
import { makeDocumentTexts } from '../features/knowledge-bases/documents/document-text.ts';
import { makeDocuments } from '../features/knowledge-bases/documents/documents.ts';
import { documentTextRoutes } from '../features/knowledge-bases/documents/text-handlers.ts';
import { makeDocumentRecords } from '../features/knowledge-bases/exchange/document-records.ts';
import { makeKnowledgeBaseRecords } from '../features/knowledge-bases/exchange/knowledge-base-records.ts';
import { baseRoutes } from '../features/knowledge-bases/handlers.ts';
import { makePurgeIndexes } from '../features/knowledge-bases/index/purge-index.ts';
import { makeIndexRebuild } from '../features/knowledge-bases/index/rebuild-index.ts';
import { requestRebuildOnce } from '../features/knowledge-bases/index/request-rebuild.ts';
import { makeIndexSync } from '../features/knowledge-bases/index/sync-index.ts';
import { makeWriteIndex } from '../features/knowledge-bases/index/write-index.ts';
import { makeSettleTrainings } from '../features/knowledge-bases/ingest/settle-trainings.ts';
import { makeStartTrainings } from '../features/knowledge-bases/ingest/start-trainings.ts';
import { makeTrainDocuments } from '../features/knowledge-bases/ingest/train-documents.ts';
import { makeTrainings } from '../features/knowledge-bases/ingest/trainings.ts';
import { makeKbJobs } from '../features/knowledge-bases/jobs.ts';
import { passageRoutes } from '../features/knowledge-bases/passages/passage-handlers.ts';
import { makePassages } from '../features/knowledge-bases/passages/passages.ts';
import type { KnownViewers, SheetTables } from '../features/knowledge-bases/ports.ts';
import { makeKbQueue } from '../features/knowledge-bases/queue.ts';
import { makeLearnFromIndex } from '../features/knowledge-bases/ranking/learning/learn-from-index.ts';
import { makeRights } from '../features/knowledge-bases/rights/rights.ts';
import { rightsRoutes } from '../features/knowledge-bases/rights/rights-handlers.ts';
import type { Visibility } from '../features/knowledge-bases/rights/visible.ts';
import { makeEvaluateSearch } from '../features/knowledge-bases/search/evaluate-search.ts';
import { makeRerankers } from '../features/knowledge-bases/search/make-rerankers.ts';
import { makeKbSearch } from '../features/knowledge-bases/search/search.ts';
import { searchRoutes } from '../features/knowledge-bases/search/search-handlers.ts';
import { makeTuneSearch } from '../features/knowledge-bases/search/tune-search.ts';
import { makeKnowledgeBaseService } from '../features/knowledge-bases/service.ts';
import { makeCrawlSite } from '../features/knowledge-bases/sites/crawl-site.ts';
import { makeFetchPage } from '../features/knowledge-bases/sites/fetch-page.ts';
import { siteRoutes } from '../features/knowledge-bases/sites/site-handlers.ts';
import { makeSites } from '../features/knowledge-bases/sites/sites.ts';
import { makeKbTools } from '../features/knowledge-bases/tools/tools.ts';
import type { TypedAddresses } from '../features/typed-addresses/service.ts';
import { enqueue, enqueueMany } from '../worker/worker.ts';
import type { Models } from './models.ts';

export interface KnowledgeBaseOptions {
  db: Database;
  config: Config;
  index: RetrievalIndex;
  /** The files that a caller may name. */
  files: Files;
  /** Those that documents name. */
  referredFiles: Files;
  models: Models;
  tables: SheetTables;
  privacy: Anonymization;
  visibility: Visibility;
  /** Who of an archive is known here. */
  known: KnownViewers;
  previews: Previews;
  typedAddresses: TypedAddresses;
}

/** Composes the knowledge bases: documents, sites, trainings, index, search and their tools. */
export function composeKnowledgeBases({
  db,
  config,
  index,
  files,
  referredFiles,
  models,
  tables,
  privacy,
  visibility,
  known,
  previews,
  typedAddresses,
}: KnowledgeBaseOptions) {
  const { embedders, questions } = models;
  const anonymizers = makeKbAnonymizers(privacy);
  const createEmbeddings = makeCreateEmbeddings({
    embedders,
    anonymizer: anonymizers.embedding({ pii_anonimization: kbPrivacy.pii_anonimization.fallback }),
    userId: (workspace_id, id) => endUserId(workspace_id, { door: 'programs', id, name: id }),
  });
  const web = makeGuardedWeb({ allow: config.web_allow });

  const queue = makeKbQueue({ db, enqueue, enqueueMany }, () => jobs);
  const readers = {
    findEncoding,
    readsLanguage: (code: string) => findLanguageData(languageCode(code), config.ocr_data) !== undefined,
  };
  const bases = makeKnowledgeBaseService({ db, index, embedders, queue, readers, visibility });
  const rights = makeRights({ db, bases, queue, visibility });
  const documents = makeDocuments({ db, bases, files: referredFiles, queue, rights });
  const sites = makeSites({ db, bases, files: referredFiles, queue, rights, typedAddresses });
  const trainings = makeTrainings({ db, bases, files, sites, queue, rights });
  const extract = makeExtract([], { ocr_data: config.ocr_data });
  const train = makeTrainDocuments({
    db,
    files: referredFiles,
    web,
    extract,
    embedders,
    questions,
    tables,
    anonymizers,
    queue,
  });
  const fetchPage = makeFetchPage({ web, takes: extract.takes, readPage });
  const crawl = makeCrawlSite({
    db,
    files: referredFiles,
    web,
    fetchPage,
    readPage,
    queue,
    trainings: makeStartTrainings(queue),
  });
  const learn = makeLearnFromIndex({ db, index, runInWorker });
  const writeIndex = makeWriteIndex({ db, index });
  const sync = makeIndexSync({
    ...{ db, writeIndex, learn },
    rebuild: (place) => requestRebuildOnce(db, queue, place),
    purgeLater: (place) => queue.purge(db, place),
  });
  const purge = makePurgeIndexes({ db, writeIndex, learn });
  const rebuild = makeIndexRebuild({ db, writeIndex, embedders, anonymizers, learn });
  const settle = makeSettleTrainings({ db, index, questions, queue, anonymizers, learn });
  const jobs = makeKbJobs({
    db,
    index,
    files: referredFiles,
    train,
    crawl,
    sites,
    sync,
    rebuild,
    purge,
    settle,
    tables,
  });

  const search = makeKbSearch({
    db,
    bases,
    index,
    embedders,
    anonymizers,
    visibility,
    rerankers: makeRerankers({
      questions,
      meter: models.meter,
      hosted: config.rerank_url
        ? { url: config.rerank_url, api_key: config.rerank_api_key ?? null, fetch: models.fetchAnywhere }
        : undefined,
      default_model: () => models.defaults.stored('ranking'),
      findRankingService: models.findRankingService,
      connect: makeRankingApi,
    }),
  });
  const evaluate = makeEvaluateSearch({ search, documents });
  const tune = makeTuneSearch({ bases, evaluate, visibility });

  return {
    bases,
    search,
    jobs,
    records: [
      makeKnowledgeBaseRecords({ db, bases, known }),
      makeDocumentRecords({ db, trainings: makeStartTrainings(queue), known }),
    ],
    toolsFor: makeKbTools({ bases, search, embedders, anonymizers }),
    routes: [
      ...embeddingRoutes(createEmbeddings),
      ...baseRoutes(bases),
      ...documentRoutes(
        documents,
        trainings,
        makeChangeDocuments({ db, bases, documents, files: referredFiles, queue, rights }),
      ),
      ...documentTextRoutes(makeDocumentTexts({ db, documents, previews })),
      ...passageRoutes(makePassages({ db, bases, embedders, anonymizers, queue, visibility })),
      ...rightsRoutes(rights),
      ...siteRoutes(sites),
      ...searchRoutes({ search, evaluate, tune, documents }),
    ],
    close: async () => {
      queue.close();
      index.close();
    },
  };
}
