import { Link } from '@tanstack/react-router';
import { Bot, Lock, Workflow } from 'lucide-react';
import { useWorkspace } from '../../api/session.ts';
import { useReferenceName } from '../../forms/use-references.ts';
import { sayCost, sayDuration, sayNumber } from '../../lib/numbers.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { runTexts } from '../../text/runs.ts';
import { Chip } from '../../ui/chip.tsx';
import type { RunFilters } from '../routes.tsx';
import { hiddenOf, lastedMs, nameRun, type Run, toneOf } from '../runs.ts';

/** A run with what it was about, how it ended, and what it cost. */
export function RunRow({ run, filters }: { run: Run; filters: RunFilters }) {
  const { id: w } = useWorkspace();
  const { status, usage, created_at } = run;
  const took = lastedMs(run);
  const cost = usage.cost === null ? '–' : sayCost(usage.cost);
  const state = (
    <Chip tone={toneOf(status)} dot>
      {runTexts.statuses[status] ?? status}
    </Chip>
  );
  return (
    <tr className="relative border-b border-line last:border-0 hover:bg-bg">
      <td className="py-2 pr-3 pl-3.5">
        <div className="flex items-start gap-2.5">
          {hiddenOf(run) ? (
            <Lock size={16} aria-hidden className="mt-0.5 flex-none text-text-3" />
          ) : run.kind === 'workflow' ? (
            <Workflow size={16} aria-hidden className="mt-0.5 flex-none text-text-3" />
          ) : (
            <Bot size={16} aria-hidden className="mt-0.5 flex-none text-text-3" />
          )}
          <div className="min-w-0 flex-1">
            <Link
              to="/w/$w/runs/$id"
              params={{ w, id: run.id }}
              search={filters}
              data-row-link
              className="block truncate text-label font-medium text-text after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-2 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {nameRun(run)}
            </Link>
            <Owner run={run} />
            <p className="num mt-1 hidden flex-wrap items-center gap-2 text-caption text-text-2 max-phone:flex">
              {state}
              {sayTime(created_at)}
              <span>{cost}</span>
            </p>
          </div>
        </div>
      </td>
      <td className="px-3 max-phone:hidden">{state}</td>
      <td className="max-w-40 truncate px-3 text-text-2 max-wide:hidden">
        {run.person?.name ?? run.actor?.name ?? runTexts.program}
      </td>
      <td className="num px-3 text-right whitespace-nowrap text-text-2 max-phone:hidden">
        <time dateTime={created_at} title={sayExactTime(created_at)}>
          {sayTime(created_at)}
        </time>
      </td>
      <td className="num px-3 text-right whitespace-nowrap text-text-2 max-narrow:hidden">
        {took === undefined ? '–' : sayDuration(took)}
      </td>
      <td className="num px-3 text-right text-text-2 max-narrow:hidden">{sayNumber(usage.tokens)}</td>
      <td
        className="num py-2 pr-3.5 pl-3 text-right max-phone:hidden"
        title={usage.cost === null ? runTexts.unknownCost : undefined}
      >
        {cost}
      </td>
    </tr>
  );
}

/** Whose run it is: an agent with its version, or a workflow. */
function Owner({ run }: { run: Run }) {
  const workflow = useReferenceName('workflow', run.kind === 'workflow' ? run.workflow_id : '');
  const version = run.version?.number;
  return (
    <p className="truncate text-dense text-text-2">
      {run.kind === 'workflow' ? (workflow ?? runTexts.workflow) : run.agent?.name}
      {version ? ` v${version}` : ''}
    </p>
  );
}
