import { Lock, Search } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { placeOf } from '../../forms/field-values.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { agentTexts } from '../../text/agents.ts';
import { formTexts } from '../../text/forms.ts';
import { cx } from '../../ui/cx.ts';
import { TextInput } from '../../ui/text-field.tsx';
import { listDifferences } from '../editor/changes.ts';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import { type EditorGroup, type GroupId, groupOf } from '../editor/outline.ts';
import { groupIcons } from './group-icons.tsx';

interface GroupNavProps {
  outline: readonly EditorGroup[];
  scroller: RefObject<HTMLElement | null>;
  onShow: (id: GroupId) => void;
  typed: string;
  onType: (typed: string) => void;
  foot: string;
}

/** The group whose heading was passed last while scrolling. */
function useCurrentGroup(scroller: RefObject<HTMLElement | null>, ids: readonly GroupId[]): GroupId | undefined {
  const [current, setCurrent] = useState<GroupId>();
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const top = element.getBoundingClientRect().top + 60;
      const passed = ids.filter((id) => {
        const heading = element.querySelector(`#group-${id}`);
        return heading && heading.getBoundingClientRect().top <= top;
      });
      setCurrent(passed.at(-1) ?? ids[0]);
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [scroller, ids]);
  return current;
}

/** The groups with how much differs, is wrong or locked in each; and the field that finds a setting. */
export function GroupNav({ outline, scroller, onShow, typed, onType, foot }: GroupNavProps) {
  const { form, tools } = useEditor();
  const { published, values, faults, agent } = useDraft();
  const field = useRef<HTMLInputElement>(null);
  const ids = useMemo(() => outline.map(({ id }) => id), [outline]);
  const current = useCurrentGroup(scroller, ids);
  useShortcuts([{ keys: '/', label: formTexts.findSetting, onPress: () => field.current?.focus() }]);
  const changes = listDifferences(form, tools, published, values).map((each) => groupOf(each.field));
  const wrong = [...faults.keys()].map((place) => {
    const found = form.fields.find((each) => placeOf(each) === place);
    return found ? groupOf(found) : 'tools';
  });
  const locks = new Set<string>(agent.locks.map(({ lock }) => lock));
  const isLocked = ({ sections }: EditorGroup) =>
    sections.some(({ fields }) => fields.some(({ lock }) => lock !== null && locks.has(lock)));
  const count = (list: readonly GroupId[], id: GroupId) => list.filter((each) => each === id).length;
  return (
    <nav
      aria-label={agentTexts.build.groups}
      className="flex w-52 flex-none flex-col gap-0.5 overflow-y-auto border-r border-line p-2.5 max-narrow:w-auto max-narrow:flex-row max-narrow:items-center max-narrow:overflow-x-auto max-narrow:border-r-0 max-narrow:border-b"
    >
      <span className="relative mb-1.5 block max-narrow:mb-0 max-narrow:w-44 max-narrow:flex-none">
        <Search size={14} aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-text-3" />
        <TextInput
          ref={field}
          type="search"
          aria-label={formTexts.findSetting}
          placeholder={formTexts.findSetting}
          value={typed}
          onChange={({ target }) => onType(target.value)}
          className="border-line-2! pl-8"
        />
      </span>
      {outline.map((group) => {
        const Icon = groupIcons[group.id];
        const [changed, faulty] = [count(changes, group.id), count(wrong, group.id)];
        const isCurrent = !typed && group.id === current;
        return (
          <button
            key={group.id}
            type="button"
            aria-current={isCurrent ? 'true' : undefined}
            onClick={() => onShow(group.id)}
            className={cx(
              'flex h-8 flex-none items-center gap-2.5 rounded-2 px-2.5 text-left text-label font-medium whitespace-nowrap text-text-2 pointer-coarse:h-11',
              isCurrent ? 'bg-selected text-text' : 'hover:bg-sunken',
            )}
          >
            <Icon size={15} aria-hidden className="flex-none" />
            <span className="flex-1 truncate">{group.label}</span>
            {isLocked(group) && <Lock size={13} role="img" aria-label={formTexts.locked} className="text-text-3" />}
            {faulty > 0 && <Count tone="bg-bad-soft text-bad" count={faulty} label={formTexts.faultCount(faulty)} />}
            {changed > 0 && (
              <Count tone="bg-accent-soft text-accent" count={changed} label={formTexts.changedCount(changed)} />
            )}
          </button>
        );
      })}
      <p className="px-2.5 pt-3 text-caption text-text-3 max-narrow:hidden">{foot}</p>
    </nav>
  );
}

const Count = ({ tone, count, label }: { tone: string; count: number; label: string }) => (
  <span className={cx('num rounded-full px-1.5 text-caption', tone)}>
    <span aria-hidden>{count}</span>
    <span className="sr-only">{label}</span>
  </span>
);
