import type { AnswerOf, ItemOf } from '@atrium/sdk';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { versionsQuery } from '../agents/queries.ts';
import { useClient, useWorkspace } from '../api/session.ts';
import { sayTime } from '../lib/time.ts';
import { evaluationTexts } from '../text/evaluations.ts';

export type EvaluationItem = ItemOf<'evaluations.list', 'summary'>;
export type Evaluation = AnswerOf<'evaluations.get'>;
export type EvaluationCase = Evaluation['cases'][number];
export type EvaluationRunItem = ItemOf<'evaluationRuns.list', 'summary'>;
export type EvaluationRun = AnswerOf<'evaluationRuns.get'>;
export type CaseResult = EvaluationRun['results'][number];
export type Report = AnswerOf<'evaluations.report'>;
type Client = ReturnType<typeof useClient>;

export const isOver = (status: string) => status === 'completed' || status === 'failed';
/** Events tell of each case that is done; this is for those that were missed. */
const lookAgainMs = 2000;

export const setsQuery = (client: Client, workspace: string, agentId: string | undefined, search: string) =>
  infiniteQueryOptions({
    queryKey: [workspace, 'evaluations', 'list', agentId, search],
    queryFn: ({ pageParam }) =>
      client.evaluations.list({
        ...{ view: 'summary', size: 50 },
        ...(agentId && { agent_id: agentId }),
        ...(search && { search }),
        ...(pageParam && { after: pageParam }),
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

export const setQuery = (client: Client, workspace: string, id: string) =>
  queryOptions({ queryKey: [workspace, 'evaluations', 'one', id], queryFn: () => client.evaluations.get(id) });

export const setRunsQuery = (client: Client, workspace: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [workspace, 'evaluations', 'runs', id],
    queryFn: ({ pageParam }) =>
      client.evaluationRuns.list(id, { view: 'summary', size: 20, ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });

export const setRunQuery = (client: Client, workspace: string, id: string, runId: string) =>
  queryOptions({
    queryKey: [workspace, 'evaluations', 'run', id, runId],
    queryFn: () => client.evaluationRuns.get(id, runId),
    refetchInterval: ({ state }) => (state.data && !isOver(state.data.status) ? lookAgainMs : false),
  });

/** Loads everything of evaluations again. */
export function useRefreshEvaluations() {
  const queries = useQueryClient();
  const { id } = useWorkspace();
  return () => queries.invalidateQueries({ queryKey: [id, 'evaluations'] });
}

/** Names versions by their number: "v12". What was no version is a draft. */
export function useVersionNames(agentId: string) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data } = useInfiniteQuery(versionsQuery(client, w, agentId));
  const versions = data?.pages.flat() ?? [];
  const nameVersion = (id: string | null) => {
    if (id === null) return evaluationTexts.draft;
    const number = versions.find((version) => version.id === id)?.number;
    return number === undefined ? evaluationTexts.aVersion : evaluationTexts.version(number);
  };
  const nameRun = ({ version_id, created_at }: Pick<EvaluationRunItem, 'version_id' | 'created_at'>) =>
    evaluationTexts.runs.name(nameVersion(version_id), sayTime(created_at));
  return { versions, nameVersion, nameRun };
}

/** Whether the case depends on a chat, or comes from a source that is not known. */
export const isBound = ({ origin }: Pick<EvaluationCase, 'origin'>): boolean =>
  origin === 'conversation' || origin === 'unknown';

export const nameCase = ({ name, messages }: Pick<EvaluationCase, 'name' | 'messages'>): string =>
  name || messages[0]?.slice(0, 80) || evaluationTexts.cases.unnamed;
