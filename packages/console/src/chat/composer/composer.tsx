import { ArrowUp, Square } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { joinReturned, keepDraft, onReturnedWords, readDraft } from '../../lib/local-drafts.ts';
import { isApple, sayKeys, useShortcutRegistry } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';
import { cx } from '../../ui/cx.ts';
import { pageMayFocus } from '../../ui/focus-on-open.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { chatSlots } from '../parts/slots.ts';
import type { ChatSlots } from '../slots.ts';
import type { MessageExtras } from '../thread/thread-store.ts';

interface ComposerProps {
  /** Where what is typed is kept until it is sent. */
  draftKey: string;
  conversationId?: string | undefined;
  placeholder: string;
  answering: boolean;
  /** Why nothing can be sent. */
  refused?: string | undefined;
  /** Returns false when it can't be taken; the words stay then. */
  onSend: (content: string, extras: MessageExtras) => boolean;
  onStop?: (() => void) | undefined;
  /** ↑ in an empty field. */
  onEditLast?: (() => void) | undefined;
  /** Left of the hint: choice of the agent. */
  beside?: ReactNode;
  above?: ReactNode;
  autoFocus?: boolean;
  /** What takes files; pages without a session bring their own, or none. */
  slots?: Pick<ChatSlots, 'ComposerAttachments' | 'ComposerTools'>;
}

const namesOf = (extras: MessageExtras | undefined) => (extras?.files ?? []).map(({ name }) => name).join(', ');
const isTouch = () => matchMedia('(pointer: coarse)').matches;
const mostHeight = 220;
/** Whether the browser makes the field as high as its text. If not, a script measures the text at each key. */
const growsByItself = CSS.supports('field-sizing', 'content');

/** Where a person writes. It knows nothing of the messages: typing draws nothing but this field. */
export function Composer(props: ComposerProps) {
  const {
    draftKey,
    conversationId,
    placeholder,
    answering,
    refused,
    onSend,
    onStop,
    onEditLast,
    beside,
    above,
    autoFocus,
    slots = chatSlots,
  } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const sendKey = useShortcutRegistry((state) => state.sendKey);
  const [empty, setEmpty] = useState(() => !readDraft(draftKey).trim());
  const [sent, setSent] = useState(0);
  const [extras, setExtras] = useState<MessageExtras | undefined>({});
  const grow = useCallback(() => {
    const element = field.current;
    if (!element || growsByItself) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, mostHeight)}px`;
  }, []);

  useLayoutEffect(() => {
    if (field.current) field.current.value = readDraft(draftKey);
    setEmpty(!readDraft(draftKey).trim());
    grow();
  }, [draftKey, grow]);
  useEffect(() => {
    if (autoFocus && !isTouch() && pageMayFocus()) field.current?.focus();
  }, [autoFocus]);

  const onInput = useCallback(() => {
    const { value = '' } = field.current ?? {};
    keepDraft(draftKey, value);
    setEmpty(!value.trim());
    grow();
  }, [draftKey, grow]);
  useEffect(
    () =>
      onReturnedWords(draftKey, (words) => {
        if (!field.current) return;
        field.current.value = joinReturned(words, field.current.value);
        onInput();
        if (!isTouch()) field.current.focus();
      }),
    [draftKey, onInput],
  );
  const send = () => {
    // Files alone are sent with their names as words.
    const content = field.current?.value.trim() || namesOf(extras);
    if (!content || refused || extras === undefined || !field.current) return;
    if (onSend(content, extras) === false) return;
    field.current.value = '';
    onInput();
    setSent((count) => count + 1);
    setExtras({});
    if (isTouch()) field.current.blur();
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'ArrowUp' && !event.currentTarget.value && onEditLast) {
      event.preventDefault();
      onEditLast();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    const isHeld = isApple ? event.metaKey : event.ctrlKey;
    if (sendKey === 'mod_enter' && !isHeld) return;
    event.preventDefault();
    send();
  };
  const { ComposerAttachments, ComposerTools } = slots;
  const attachments = { conversationId, onChange: setExtras, sent };
  const nothing = empty && !namesOf(extras);
  const stops = answering && onStop;
  return (
    <form
      className={cx(
        'rounded-4 border border-control bg-surface px-3.5 py-3 shadow-1 focus-within:border-accent',
        'max-phone:rounded-[24px] max-phone:px-1.5 max-phone:py-1.5',
      )}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {above}
      {ComposerAttachments && <ComposerAttachments {...attachments} />}
      <div className="max-phone:flex max-phone:items-end max-phone:gap-1">
        {ComposerTools && (
          <div className="phone:hidden">
            <ComposerTools {...attachments} />
          </div>
        )}
        <textarea
          ref={field}
          rows={1}
          aria-label={t.chat.composer.label}
          placeholder={refused ?? placeholder}
          disabled={refused !== undefined}
          onInput={onInput}
          onKeyDown={onKeyDown}
          className="block field-sizing-content max-h-55 w-full resize-none bg-transparent text-reading outline-none max-phone:min-w-0 max-phone:flex-1 max-phone:px-2.5 max-phone:py-2.5"
        />
        <div className="mt-2 flex items-center gap-1 max-phone:mt-0">
          <div className="flex min-w-0 items-center gap-1 max-phone:hidden">
            {ComposerTools && <ComposerTools {...attachments} />}
            {beside}
          </div>
          <span aria-hidden className="ml-auto pr-1 text-caption text-text-3 max-phone:hidden pointer-coarse:hidden">
            <kbd>{sendKey === 'enter' ? '↵' : sayKeys('mod+enter')}</kbd>{' '}
            {stops ? t.chat.composer.queueHint : t.chat.composer.sendHint}{' '}
            <kbd>{stops ? sayKeys('mod+.') : sendKey === 'enter' ? '⇧↵' : '↵'}</kbd>{' '}
            {stops ? t.chat.composer.stopHint : t.chat.composer.newLineHint}
          </span>
          {stops && (
            <IconButton
              label={t.chat.composer.stop}
              keys={sayKeys('mod+.')}
              icon={<Square size={13} fill="currentColor" />}
              onClick={onStop}
              className="rounded-[9px]! bg-text! text-surface! hover:bg-text-2! max-phone:size-11 max-phone:rounded-full!"
            />
          )}
          {(!stops || !nothing) && (
            <IconButton
              type="submit"
              label={t.chat.composer.send}
              icon={<ArrowUp size={17} />}
              disabled={nothing || refused !== undefined || extras === undefined}
              className="rounded-[9px]! bg-accent! text-on-accent! hover:bg-accent-hover! max-phone:size-11 max-phone:rounded-full!"
            />
          )}
        </div>
      </div>
    </form>
  );
}
