import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { type Ref, useRef } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { useWorkspace } from '../../api/session.ts';
import { useReferenceName } from '../../forms/use-references.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import type { EvaluationItem } from '../evaluations.ts';

const words = evaluationTexts.list;

/** Sets of cases, each with its agent. */
export function SetList({ sets, withAgent }: { sets: readonly EvaluationItem[]; withAgent: boolean }) {
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  return (
    <ul
      ref={list as Ref<HTMLUListElement>}
      aria-label={words.label}
      className="divide-y divide-line rounded-3 border border-line"
    >
      {sets.map((set) => (
        <SetRow key={set.id} set={set} withAgent={withAgent} />
      ))}
    </ul>
  );
}

function SetRow({ set, withAgent }: { set: EvaluationItem; withAgent: boolean }) {
  const { id: w } = useWorkspace();
  const agent = useReferenceName('agent', withAgent ? set.agent_id : '');
  return (
    <li className="relative flex min-h-14 items-center gap-3 px-3.5 py-2 hover:bg-bg">
      <span className="grid size-8 flex-none place-items-center rounded-3 bg-sunken text-text-2">
        <FlaskConical size={16} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to="/w/$w/evaluations/$id"
          params={{ w, id: set.id }}
          data-row-link
          className="block truncate font-medium text-text after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-2 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {set.name}
        </Link>
        {withAgent && <p className="truncate text-dense text-text-2">{agent}</p>}
      </div>
      <time
        dateTime={set.updated_at}
        title={sayExactTime(set.updated_at)}
        className="text-dense whitespace-nowrap text-text-3"
      >
        {words.changed(sayTime(set.updated_at))}
      </time>
    </li>
  );
}
