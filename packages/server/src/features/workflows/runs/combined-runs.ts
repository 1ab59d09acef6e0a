import { forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import { type Facets, type PageWindow, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { RunSort } from '@atrium/contract/runs/run-figures.ts';
import type { RunAnswer, RunListQuery } from '@atrium/contract/runs/schema.ts';
import type { AnyRun, RunItem } from '@atrium/contract/workflows/schema.ts';
import { addFacets } from '../../../db/count-facets.ts';
import { cutPage } from '../../../db/read-page.ts';
import { required } from '../../../lib/required.ts';
import { sseAnswer } from '../../../lib/responses/sse.ts';
import { lacksPermission, type Scope } from '../../../lib/scope.ts';
import type { RunAccess } from '../../ownership/service.ts';
import type { RunEndpoints } from '../../runs/ports.ts';
import type { AddRunFigures } from '../../usage/ports.ts';
import type { WorkflowRuns } from './workflow-runs.ts';
import type { WorkflowStreams } from './workflow-streams.ts';

type Figures = Pick<
  RunListQuery,
  'person_id' | 'trigger_id' | 'parent_run_id' | 'min_cost' | 'min_tokens' | 'created_after' | 'created_before'
>;

interface OfConversations extends Omit<RunEndpoints<RunAnswer>, 'list'> {
  newest(
    scope: Scope,
    filter: Pick<RunListQuery, 'status' | 'conversation_id' | 'assistant_id' | 'assistant_version_id'> & Figures,
    sort: RunSort,
    window: PageWindow,
  ): Promise<{ items: RunAnswer[]; total: number; facets?: Facets }>;
}

const ofNoAgent = ({ conversation_id, assistant_id, assistant_version_id }: RunListQuery) =>
  conversation_id === undefined && assistant_id === undefined && assistant_version_id === undefined;

const figureFilterOf = (query: RunListQuery): Figures => ({
  ...{ person_id: query.person_id, trigger_id: query.trigger_id, parent_run_id: query.parent_run_id },
  ...{ min_cost: query.min_cost, min_tokens: query.min_tokens },
  ...{ created_after: query.created_after, created_before: query.created_before },
});

const byTime = (a: { id: string }, b: { id: string }) => (a.id < b.id ? 1 : -1);

type FigureSort = Exclude<RunSort, '-created_at'>;

const figureOf = ({ usage }: RunItem, sort: FigureSort): number | null =>
  sort.endsWith('cost') ? usage.cost : usage.model_calls ? usage.tokens : null;

/** Runs without the figure come last in both directions, the newest first. */
function orderBy(sort: FigureSort) {
  const sign = sort.startsWith('-') ? -1 : 1;
  return (a: RunItem, b: RunItem) => {
    const [x, y] = [figureOf(a, sort), figureOf(b, sort)];
    if (x === null || y === null) return x === y ? byTime(a, b) : x === null ? 1 : -1;
    return x === y ? sign * byTime(b, a) : sign * (x - y);
  };
}

/** Combines runs of conversations and of workflows for the endpoints of `/v1/runs`. */
export function makeCombinedRuns(
  conversations: OfConversations,
  runs: WorkflowRuns,
  streams: WorkflowStreams,
  addFigures: AddRunFigures,
): RunEndpoints<AnyRun, RunItem> {
  const may = (scope: Scope, kind: 'agents_run' | 'flows_run') => allows(scope.permissions, kind);
  function need(scope: Scope, kind: 'agents_run' | 'flows_run'): void {
    if (!may(scope, kind)) throw forbidden(lacksPermission(scope, kind));
  }

  /**
   * The run if it is one of a workflow that the caller sees. Throws `forbidden` first for a caller that may see neither kind,
   * and `notFound` for a run whose inputs and outputs the caller may not see, unless an outline is enough.
   */
  async function workflowRun(scope: Scope, id: string, enough: RunAccess = 'whole') {
    if (!may(scope, 'flows_run')) {
      need(scope, 'agents_run');
      return undefined;
    }
    const row = await runs.found(scope, id);
    if (!row) {
      need(scope, 'agents_run');
      return undefined;
    }
    const access = await runs.access(scope, id);
    if (access === undefined || (access === 'outline' && enough === 'whole')) throw notFound('run');
    return { row, access };
  }

  return {
    /** The first runs of both kinds in the order that is asked for; ids rise with time. */
    async list(scope, query) {
      const { kind, status, conversation_id, assistant_id, assistant_version_id, workflow_id, sort } = query;
      const figures = figureFilterOf(query);
      if (!may(scope, 'flows_run')) need(scope, 'agents_run');
      const window = pageOf(query);
      const reach = { ...window, size: window.offset + window.size + 1, offset: 0 };
      const none = { items: [], total: 0, facets: {} };
      const ofTalks = kind !== 'workflow' && workflow_id === undefined;
      const ofFlows = kind !== 'conversation' && ofNoAgent(query);
      const [talks, flows] = await Promise.all([
        may(scope, 'agents_run') && ofTalks
          ? conversations.newest(
              scope,
              { status, conversation_id, assistant_id, assistant_version_id, ...figures },
              sort,
              reach,
            )
          : none,
        may(scope, 'flows_run') && ofFlows
          ? runs.newest(scope, { status, workflow_id, ...figures }, sort, reach)
          : none,
      ]);
      const items = [...talks.items, ...flows.items];
      // Cost and tokens order the list, so they are read before it is cut; else only those of the page are read.
      const total = window.total ?? talks.total + flows.total;
      const facets = window.facets ? { facets: addFacets([talks.facets, flows.facets]) } : {};
      if (sort === '-created_at') {
        const { page, last } = cutPage(items.sort(byTime), window);
        return { ...pageAnswer(await addFigures<AnyRun>(scope, page), total, window, last), ...facets };
      }
      const sorted = (await addFigures<AnyRun>(scope, items)).sort(orderBy(sort));
      const { page, last } = cutPage(sorted, window, (run) => figureOf(run, sort)?.toString() ?? null);
      return { ...pageAnswer(page, total, window, last), ...facets };
    },
    async get(scope, id) {
      const found = await workflowRun(scope, id, 'outline');
      const run: AnyRun = found
        ? await runs.present(scope, found.row, found.access)
        : await conversations.get(scope, id);
      return required((await addFigures(scope, [run]))[0]);
    },
    async stop(scope, id) {
      const found = await workflowRun(scope, id);
      if (!found) return conversations.stop(scope, id);
      await runs.stop(scope, id);
      return runs.present(scope, await runs.find(scope, id), found.access);
    },
    async retry(scope, id, body) {
      if (await workflowRun(scope, id)) return runs.retry(scope, id, body.version);
      // A run that the caller can't see is not found by any operation.
      if (body.version === 'current' && (await conversations.get(scope, id)))
        throw invalid(
          ['body', 'version'],
          'only a run of a workflow can be retried with the current version',
          'current',
        );
      return conversations.retry(scope, id, body);
    },
    async events(scope, id, format, point) {
      const found = await workflowRun(scope, id);
      if (found) await runs.requireContent(scope, found.row);
      return found
        ? sseAnswer(await streams.ofRun(scope, found.row, format, point))
        : conversations.events(scope, id, format, point);
    },
  };
}
