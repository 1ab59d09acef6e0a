import { useNavigate, useSearch } from '@tanstack/react-router';
import { MessageSquare } from 'lucide-react';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { placeOf } from '../../forms/field-values.ts';
import type { FormField } from '../../forms/form-types.ts';
import { searchFields } from '../../forms/search-fields.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { agentTexts } from '../../text/agents.ts';
import { formTexts } from '../../text/forms.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import { type GroupId, outlineOf } from '../editor/outline.ts';
import { GroupNav } from './group-nav.tsx';
import { GroupSection } from './group-section.tsx';
import { useIsWide } from './use-is-wide.ts';

const LockRefused = lazyPart(() => import('./lock-refused.tsx').then(({ LockRefused }) => ({ default: LockRefused })));
const PreviewPane = lazyPart(() =>
  import('../preview/preview-pane.tsx').then(({ PreviewPane }) => ({ default: PreviewPane })),
);

/** Moves to a field and gives its control the focus. */
function focusField(root: HTMLElement | null, place: string): void {
  const row = root?.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`);
  row?.scrollIntoView({ block: 'center' });
  row?.querySelector<HTMLElement>('input, textarea, select, [role=switch], [role=radio][tabindex="0"]')?.focus();
}

/** Groups left, one scrolling form, found settings while one searches. */
export function BuildPage() {
  const { form, mayEdit, live } = useEditor();
  const { faults, conflict, status } = useDraft();
  const { group, setting } = useSearch({ from: '/signed-in/w/$w/agents/$id/build' });
  const navigate = useNavigate({ from: '/w/$w/agents/$id/build' });
  const [typed, setTyped] = useState('');
  const [previewOpen, setPreviewOpen] = useState(false);
  const isWide = useIsWide();
  const scroller = useRef<HTMLDivElement>(null);
  const outline = useMemo(() => outlineOf(form), [form]);
  const found = useMemo(() => (typed.trim() ? new Set(searchFields(form.fields, typed)) : undefined), [form, typed]);

  useEffect(() => {
    const field = form.fields.find(({ key }) => key === setting);
    if (field) focusField(scroller.current, placeOf(field));
    else if (group) scroller.current?.querySelector(`#group-${group}`)?.scrollIntoView({ block: 'start' });
  }, [group, setting, form]);

  // The first fault gets the focus when faults appear where there were none, unless one is being typed in.
  const firstFault = faults.size ? [...faults.keys()][0] : undefined;
  useEffect(() => {
    const isTyping = scroller.current?.contains(document.activeElement);
    if (firstFault && !conflict && !isTyping) focusField(scroller.current, firstFault);
  }, [firstFault, conflict]);

  const show = (id: GroupId) => {
    setTyped('');
    void navigate({ search: { group: id }, replace: true });
    // The same group again scrolls again.
    requestAnimationFrame(() => scroller.current?.querySelector(`#group-${id}`)?.scrollIntoView({ block: 'start' }));
  };
  const shown = (field: FormField) => !found || found.has(field);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 max-narrow:flex-col">
      <GroupNav
        outline={outline}
        scroller={scroller}
        onShow={show}
        typed={typed}
        onType={setTyped}
        foot={agentTexts.build.foot(form.fields.length, live)}
      />
      <div ref={scroller} className="min-w-0 flex-1 overflow-y-auto" data-editor-form>
        <div className="mx-auto flex max-w-160 flex-col px-6 pt-1 pb-24 max-narrow:px-3">
          {!mayEdit && (
            <div className="pt-4">
              <Banner tone="info">{agentTexts.mayNotEdit}</Banner>
            </div>
          )}
          <Suspense>{status === 'locked' && <LockRefused />}</Suspense>
          {found && (
            <p role="status" className="flex items-center gap-3 pt-4 text-dense text-text-2">
              {agentTexts.build.results(found.size, typed.trim())}
              <Button size="small" look="ghost" onClick={() => setTyped('')}>
                {agentTexts.build.clear}
              </Button>
            </p>
          )}
          {outline.map((each) => (
            <GroupSection key={each.id} group={each} searching={found !== undefined} shown={shown} />
          ))}
          {found?.size === 0 && <EmptyState {...formTexts.noSetting} />}
        </div>
        {!isWide && (
          <div className="sticky bottom-3 flex justify-end px-4">
            <Button className="shadow-2" icon={<MessageSquare size={15} />} onClick={() => setPreviewOpen(true)}>
              {agentTexts.preview.open}
            </Button>
          </div>
        )}
      </div>
      {isWide && (
        <aside aria-label={agentTexts.preview.title} className="flex w-92 flex-none border-l border-line">
          {/* Its room is there before it is loaded, so that the form stays where it is. */}
          <Suspense>
            <PreviewPane />
          </Suspense>
        </aside>
      )}
      <Suspense>
        {!isWide && previewOpen && (
          <Drawer open onClose={() => setPreviewOpen(false)} title={agentTexts.preview.title}>
            <div className="flex h-full min-h-100 flex-col">
              <PreviewPane />
            </div>
          </Drawer>
        )}
      </Suspense>
    </div>
  );
}
