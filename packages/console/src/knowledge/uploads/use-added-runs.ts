import type { ItemOf } from '@atrium/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { trainingPause } from '../queries.ts';
import { type AddedFile, useAddedFiles } from './added-files.ts';

type IngestionRun = ItemOf<'knowledgeBases.listIngestionRuns'>;
const isOver = ({ status }: Pick<IngestionRun, 'status'>) => status !== 'queued' && status !== 'running';

/** How far a row of the panel is. */
export interface AddedRow {
  key: string;
  name: string;
  stage: string;
  progress: number;
  /** 0 to 1 while it is sent; undefined once it has arrived. */
  sent?: number | undefined;
  failure?: string | undefined;
  documentId?: string | undefined;
  file?: AddedFile | undefined;
}

function rowOf(file: AddedFile, run: IngestionRun | undefined): AddedRow {
  const about = { key: `file ${file.key}`, name: file.file.name, file };
  if (file.failure) return { ...about, stage: 'sending', progress: 0, failure: file.failure };
  if (file.runId === undefined) return { ...about, stage: 'sending', progress: 0, sent: file.sent };
  const documentId = run?.document_id ?? undefined;
  if (run?.error) return { ...about, stage: 'queued', progress: run.progress, failure: run.error.message, documentId };
  const stage = run && isOver(run) ? 'done' : String(run?.progress_details?.['stage'] ?? 'queued');
  return { ...about, stage, progress: run?.progress ?? 0, documentId };
}

/** The files that were added in this window, and what others have in training: the server says how far each is. */
export function useAddedRows(kbId: string): AddedRow[] {
  const client = useClient();
  const { id: w } = useWorkspace();
  const all = useAddedFiles(({ files }) => files);
  const files = useMemo(() => all.filter((file) => file.kbId === kbId), [all, kbId]);
  const ids = files.flatMap(({ runId }) => runId ?? []);
  const { data: runs = [] } = useQuery({
    queryKey: [w, 'documents', kbId, 'runs', ids],
    queryFn: () => client.knowledgeBases.listIngestionRuns(kbId, { run_ids: ids.join(',') }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.every(isOver) ? false : trainingPause),
  });
  const { data: training } = useQuery({
    queryKey: [w, 'documents', kbId, 'training'],
    queryFn: () => client.documents.listByStatus(kbId, 'training', { size: 100 }),
    refetchInterval: ({ state }) => (state.data?.total ? trainingPause : false),
  });
  const rows = files.map((file) =>
    rowOf(
      file,
      runs.find(({ id }) => id === file.runId),
    ),
  );
  const known = new Set(rows.map(({ documentId }) => documentId));
  // A run that has only just begun has not named its document here yet.
  const isUnnamed = rows.some(({ file, documentId }) => file?.runId !== undefined && documentId === undefined);
  const others = isUnnamed ? [] : (training?.items ?? []).filter(({ id }) => !known.has(id));
  return [
    ...rows,
    ...others.map(({ id, name, stage, progress }) => ({ key: id, name, stage, progress, documentId: id })),
  ];
}
