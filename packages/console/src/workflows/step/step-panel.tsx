import { X } from 'lucide-react';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { lazyPart } from '../../lib/lazy-part.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { EmptyState, Loading } from '../../ui/states.tsx';
import { StepIcon } from '../canvas/step-icon.tsx';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { takeWantedField } from '../editor/wanted-field.ts';
import { nameOf } from '../graph/catalogue.ts';
import { StepRunView } from './step-run.tsx';
import { StepSettings } from './step-settings.tsx';

const StepTrial = lazyPart(() => import('./step-trial.tsx').then(({ StepTrial }) => ({ default: StepTrial })));
const words = flowTexts.step;
const tabs = ['settings', 'thisRun', 'tryAlone'] as const;
type Tab = (typeof tabs)[number];

interface StepPanelProps {
  id: string;
  /** Rises each time the panel is asked to take the focus. */
  focused: number;
  onClose: () => void;
}

/** One step: its settings, what it did in the run that is shown, and a try of it alone. */
export function StepPanel({ id, focused, onClose }: StepPanelProps) {
  const { catalogue, runStore } = useEditor();
  const step = useFlow(({ graph }) => graph.nodes.find((one) => one.id === id));
  const status = useStore(runStore, (state) => state.steps[id]?.status);
  // What needs a person or failed is what one comes for.
  const [tab, showTab] = useState<Tab>(status === 'waiting' || status === 'failed' ? 'thisRun' : 'settings');
  const isChosen = useRef(false);
  const setTab = (next: Tab) => {
    isChosen.current = true;
    showTab(next);
  };
  const panel = useRef<HTMLElement>(null);
  const base = useId();
  useEffect(() => {
    // A run that is loaded after the step was opened says so later; a tab that the person has chosen stays.
    if (status === 'waiting' || (status === 'failed' && !isChosen.current)) showTab('thisRun');
  }, [status]);
  useEffect(() => {
    if (focused === 0) return;
    const field = takeWantedField(id);
    if (field) {
      isChosen.current = true;
      showTab('settings');
    }
    const timer = setTimeout(() => {
      const place = field && panel.current?.querySelector(`[data-place="${CSS.escape(field)}"]`);
      const control = place
        ? place.querySelector<HTMLElement>('input, textarea, select, [contenteditable="true"], button[role="switch"]')
        : undefined;
      (control ?? panel.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]'))?.focus();
    }, 60);
    return () => clearTimeout(timer);
  }, [id, focused]);
  const move = (by: number) => {
    const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length] as Tab;
    setTab(next);
    panel.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  const name = step ? nameOf(step, catalogue) : id;
  const type = step && catalogue.get(step.type);
  return (
    <aside
      ref={panel}
      aria-label={words.panel(name)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      className="z-10 flex w-92 flex-none flex-col border-l border-line bg-surface max-wide:absolute max-wide:inset-y-0 max-wide:right-0 max-wide:shadow-3 max-phone:w-full"
    >
      <header className="flex items-center gap-3 px-4 pt-3 pb-1">
        {step && (
          <span className="grid size-8 flex-none place-items-center rounded-2 bg-sunken">
            <StepIcon type={step.type} category={type?.category ?? 'other'} />
          </span>
        )}
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-section">{name}</h2>
          <p className="truncate text-dense text-text-3">{type?.title ?? step?.type}</p>
        </div>
        <IconButton label={words.close} icon={<X size={16} />} onClick={onClose} />
      </header>
      <div role="tablist" aria-label={words.tabs} className="flex h-10 flex-none gap-5 border-b border-line px-4">
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            data-tab={one}
            id={`${base}-${one}`}
            aria-selected={tab === one}
            aria-controls={`${base}-panel`}
            tabIndex={tab === one ? 0 : -1}
            onClick={() => setTab(one)}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') move(1);
              else if (key === 'ArrowLeft') move(-1);
            }}
            className={cx(
              '-mb-px border-b-2 text-label font-medium',
              tab === one ? 'border-accent text-text' : 'border-transparent text-text-2 hover:text-text',
            )}
          >
            {words[one]}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long panel is scrolled with the keyboard.
        tabIndex={0}
        // A person who is writing into a field stays there when the step fails.
        onInput={() => {
          isChosen.current = true;
        }}
        className="min-h-0 flex-1 overflow-y-auto p-4 -outline-offset-2"
      >
        {!step && <EmptyState {...words.gone} className="py-6" />}
        {step && tab === 'settings' && <StepSettings step={step} />}
        {step && tab === 'thisRun' && <StepRunView step={step} />}
        {step && tab === 'tryAlone' && (
          <Suspense fallback={<Loading />}>
            <StepTrial step={step} />
          </Suspense>
        )}
      </div>
    </aside>
  );
}
