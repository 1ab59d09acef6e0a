import { Check, CircleHelp, Hand, LockOpen } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useSession } from '../api/session.ts';
import { sayExactTime, sayTime } from '../lib/time.ts';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-field.tsx';
import { causerOf, outcomeOf, type Request, reasonOf, type Scope, titleOf } from './requests.ts';
import { useAnswer } from './use-answer.ts';
import { ValueRow, Values } from './values.tsx';
import { RefusedNotice, useRefusal, WaitingFor } from './waiting-for.tsx';

interface RequestCardProps {
  request: Request;
  onAnswered?: () => void;
  /** The question stands above the card already. */
  untitled?: boolean;
}

/** A request to a person: what would be done, why they are asked, and the answer. Nothing in it takes the focus by itself. */
export function RequestCard({ request, onAnswered, untitled }: RequestCardProps) {
  const answering = useAnswer(request, onAnswered);
  const refused = useRefusal(request);
  const [causer, reason] = [causerOf(request), reasonOf(request)];
  if (request.status !== 'pending') return <AnsweredLine request={request} />;
  const isQuestion = request.type === 'question';
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Only while the card itself has the focus: a letter in a field is a letter.
    if (event.target !== event.currentTarget || isQuestion || refused || event.metaKey || event.ctrlKey) return;
    if (event.key === 'a') void answering.decide({ approve: true });
    if (event.key === 'r') void answering.decide({ approve: false });
  };
  return (
    <section
      aria-label={`${t.inbox.region}: ${titleOf(request)}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the card takes the focus so that A and R belong to one request.
      tabIndex={0}
      data-request={request.id}
      onKeyDown={onKeyDown}
      className="overflow-hidden rounded-3 border border-warn-line bg-surface"
    >
      {!untitled && (
        <header className="flex items-center gap-2 bg-warn-soft px-3.5 py-2.5 text-label font-semibold text-warn">
          <RequestIcon request={request} />
          <h3 className="min-w-0 flex-1 break-words">{titleOf(request)}</h3>
          {request.expires_at && (
            <time
              dateTime={request.expires_at}
              title={sayExactTime(request.expires_at)}
              className="flex-none text-caption font-medium"
            >
              {t.inbox.expires(sayTime(request.expires_at))}
            </time>
          )}
        </header>
      )}
      <div className="flex flex-col gap-3.5 p-3.5">
        <dl className="grid grid-cols-[minmax(80px,max-content)_minmax(0,1fr)] gap-x-4.5 gap-y-1.5 text-label">
          {request.tool && !isQuestion && (
            <ValueRow name={t.inbox.fields.tool}>
              <code className="font-mono text-code">{request.tool}</code>
            </ValueRow>
          )}
          <ReachRows request={request} />
          {!isQuestion && <Values label={t.inbox.fields.details} value={request.arguments} />}
          <Values label={t.inbox.fields.details} value={request.details} />
          {causer && <ValueRow name={t.inbox.fields.asker}>{causer}</ValueRow>}
          {reason && <ValueRow name={t.inbox.fields.why}>{reason}</ValueRow>}
        </dl>
        <WaitingFor request={request} />
        {refused && <RefusedNotice text={refused} />}
        {isQuestion ? (
          <AnswerForm {...answering} refused={refused} />
        ) : (
          <DecisionForm request={request} {...answering} refused={refused} />
        )}
      </div>
    </section>
  );
}

/** The hosts that the call can send to, and what lies beneath its tool. */
function ReachRows({ request: { recipients, beneath } }: { request: Request }) {
  const hosts = recipients.map((host) => (host === '*' ? t.inbox.anyHost : host));
  const records = beneath.map(({ kind, name }) => `${t.inbox.reachedKinds[kind]} ${name ?? t.inbox.hiddenName}`);
  return (
    <>
      {hosts.length > 0 && <ValueRow name={t.inbox.fields.recipient}>{hosts.join(', ')}</ValueRow>}
      {records.length > 0 && <ValueRow name={t.inbox.fields.beneath}>{records.join(', ')}</ValueRow>}
    </>
  );
}

function RequestIcon({ request }: { request: Request }) {
  if (request.type === 'question') return <CircleHelp size={16} aria-hidden className="flex-none" />;
  return request.type === 'unlock' ? (
    <LockOpen size={16} aria-hidden className="flex-none" />
  ) : (
    <Hand size={16} aria-hidden className="flex-none" />
  );
}

type Answering = ReturnType<typeof useAnswer> & { refused: string | false };

function DecisionForm({ request, busy, decide, takeBack, refused }: Answering & { request: Request }) {
  const [note, setNote] = useState<string>();
  const [scope, setScope] = useState<Scope>('once');
  const isUnlock = request.type === 'unlock';
  const isAsker = request.asked_by_actor?.id === useSession().person.id;
  const scopes = (Object.keys(t.inbox.scopes) as Scope[]).filter((name) => name !== 'recipient' || request.recipient);
  return (
    <>
      {request.reason === 'egress' && (
        <Field label={t.inbox.scope}>
          <Select
            value={scope}
            onChange={(value) => setScope(value as Scope)}
            options={scopes.map((value) => ({ value, label: t.inbox.scopes[value] }))}
          />
        </Field>
      )}
      {note !== undefined && (
        <Field label={t.inbox.note}>
          <TextArea value={note} maxLength={10_000} onChange={(event) => setNote(event.target.value)} />
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="primary"
          icon={<Check size={15} aria-hidden />}
          busy={busy}
          refused={refused}
          onClick={() => decide({ approve: true, note, scope })}
        >
          {isUnlock ? t.inbox.unlockIt : t.inbox.approve}
        </Button>
        <Button busy={busy} refused={refused} onClick={() => decide({ approve: false, note })}>
          {isUnlock ? t.inbox.refuse : t.inbox.reject}
        </Button>
        {isAsker && !isUnlock && (
          <Button look="ghost" busy={busy} onClick={() => takeBack()}>
            {t.inbox.takeBack}
          </Button>
        )}
        {note === undefined && !refused && (
          <Button look="ghost" onClick={() => setNote('')}>
            {t.inbox.addNote}
          </Button>
        )}
        {!refused && (
          <span aria-hidden className="ml-auto flex items-center gap-1 text-caption text-text-3 pointer-coarse:hidden">
            <kbd>A</kbd> {t.inbox.keyApprove} <kbd>R</kbd> {t.inbox.keyReject}
          </span>
        )}
      </div>
    </>
  );
}

function AnswerForm({ busy, answer, refused }: Answering) {
  const [words, setWords] = useState('');
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim()) void answer(words);
      }}
    >
      <Field label={t.inbox.yourAnswer}>
        <TextArea value={words} onChange={(event) => setWords(event.target.value)} />
      </Field>
      <div>
        <Button type="submit" look="primary" busy={busy} refused={refused} disabled={!words.trim()}>
          {t.inbox.answer}
        </Button>
      </div>
    </form>
  );
}

/** An answered request in one line, with who and when. */
function AnsweredLine({ request }: { request: Request }) {
  const at = request.decided_at ?? request.expires_at;
  return (
    <section
      aria-label={`${t.inbox.region}: ${titleOf(request)}`}
      data-request={request.id}
      className="rounded-3 border border-line bg-surface px-3.5 py-2.5 text-label"
    >
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{outcomeOf(request)}</span>
        <span className="min-w-0 truncate text-text-2">{titleOf(request)}</span>
        {at && (
          <time dateTime={at} title={sayExactTime(at)} className="ml-auto text-caption text-text-3">
            {sayTime(at)}
          </time>
        )}
      </p>
      {request.note && <p className="mt-1 text-dense break-words whitespace-pre-wrap text-text-2">“{request.note}”</p>}
    </section>
  );
}
