import { FlaskConical, Pencil, Plus, Trash2 } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Evaluation, type EvaluationCase, nameCase, useRefreshEvaluations } from '../evaluations.ts';
import { CaseOrigin, ReleaseCase } from './release-case.tsx';

const CaseDialog = lazyPart(() => import('./case-dialog.tsx').then(({ CaseDialog }) => ({ default: CaseDialog })));
const words = evaluationTexts.cases;

/** The cases of a set: what is asked, and what the answer is measured by. */
export function CasesPart({ set }: { set: Evaluation }) {
  const client = useClient();
  const refresh = useRefreshEvaluations();
  const mayEdit = useMay()('agents_edit');
  const list = useRef<HTMLUListElement>(null);
  const [edited, setEdited] = useState<EvaluationCase | 'new'>();
  const [deleted, setDeleted] = useState<EvaluationCase>();
  const refused = !mayEdit && evaluationTexts.needsEdit;
  const remove = async () => {
    if (!deleted) return;
    const at = set.cases.findIndex(({ id }) => id === deleted.id);
    await client.evaluationCases.delete(set.id, deleted.id);
    await refresh();
    // The row that took its place gets the focus.
    setTimeout(() => list.current?.children[at]?.querySelector<HTMLElement>('button')?.focus(), 50);
  };
  const add = (
    <Button icon={<Plus size={14} aria-hidden />} refused={refused} onClick={() => setEdited('new')}>
      {words.add}
    </Button>
  );
  return (
    <section aria-label={words.label} className="flex max-w-230 flex-col gap-3">
      {set.cases.length > 0 ? (
        <>
          <div className="flex items-center gap-3">
            {add}
            <span className="num ml-auto text-dense text-text-3">{words.count(set.cases.length)}</span>
          </div>
          <ul ref={list} className="divide-y divide-line rounded-3 border border-line">
            {set.cases.map((one) => (
              <li key={one.id} className="flex items-start gap-2 px-3.5 py-2.5">
                <CaseWords one={one} />
                <ReleaseCase set={set} one={one} />
                <IconButton
                  label={words.edit(nameCase(one))}
                  icon={<Pencil size={15} />}
                  disabled={!mayEdit || one.hidden !== null}
                  onClick={() => setEdited(one)}
                />
                <IconButton
                  label={words.remove(nameCase(one))}
                  icon={<Trash2 size={15} />}
                  disabled={!mayEdit}
                  onClick={() => setDeleted(one)}
                />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <EmptyState icon={<FlaskConical size={20} aria-hidden />} {...words.none}>
          {add}
        </EmptyState>
      )}
      <Suspense>
        {edited && (
          <CaseDialog set={set} one={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
        )}
      </Suspense>
      <Confirm
        open={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title={words.removeTitle(deleted ? nameCase(deleted) : '')}
        help={words.removeHelp}
        action={words.removeSubmit}
        onConfirm={remove}
      />
    </section>
  );
}

function CaseWords({ one }: { one: EvaluationCase }) {
  const measures = [
    [words.expected, one.expected],
    [words.criteria, one.criteria],
    [words.citations, one.citations?.join(', ')],
  ] as const;
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-2 font-medium break-words">
        {nameCase(one)}
        <CaseOrigin one={one} />
      </p>
      {one.hidden && <p className="text-dense text-text-2">{one.hidden}</p>}
      {one.messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns keep their places.
        <p key={index} dir="auto" className="line-clamp-3 text-dense break-words text-text-2">
          {message}
        </p>
      ))}
      <dl className="mt-1 flex flex-col gap-0.5 text-dense">
        {measures.map(
          ([name, value]) =>
            value && (
              <div key={name} className="flex gap-2">
                <dt className="flex-none text-text-3">{name}</dt>
                <dd dir="auto" className="line-clamp-2 min-w-0 break-words">
                  {value}
                </dd>
              </div>
            ),
        )}
      </dl>
      {one.tools && one.tools.length > 0 && (
        <p className="text-caption text-text-3">{words.recorded(one.tools.length)}</p>
      )}
    </div>
  );
}
