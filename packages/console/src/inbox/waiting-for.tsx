import { LockKeyhole } from 'lucide-react';
import { useMay, useSession } from '../api/session.ts';
import { t } from '../text/en.ts';
import { Avatar } from '../ui/avatar.tsx';
import { causerOf, type Request } from './requests.ts';

const words = t.inbox.waitingFor;
const mostShown = 5;

function joinNames(names: readonly string[], more: boolean): string {
  const all = more ? [...names, words.others] : names;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${words.or} ${all.at(-1)}`;
}

/** The names of those who may decide, the reader first; undefined where everybody with the permission may. */
function useNames({ waiting_for }: Pick<Request, 'waiting_for'>): string | undefined {
  const { person } = useSession();
  if (!waiting_for) return undefined;
  const isReader = (one: { id: string }) => one.id === person.id;
  const others = waiting_for.people.filter((one) => !isReader(one)).map(({ name }) => name);
  const names = waiting_for.people.some(isReader) ? [words.you.toLowerCase(), ...others] : others;
  return joinNames(names.slice(0, mostShown), waiting_for.more || names.length > mostShown);
}

/** Whom a request waits for, in one line. */
export function useWaitingLine(request: Pick<Request, 'waiting_for' | 'status'>): string {
  const names = useNames(request);
  if (names === undefined || request.status !== 'pending') return '';
  if (names === '') return words.nobody;
  return names.includes(` ${words.or} `) ? words.many(names) : words.one(names);
}

/** Why this person can't decide, as the server says; false when they can. */
export function useRefusal(request: Request): string | false {
  const may = useMay();
  const { person } = useSession();
  const names = useNames(request);
  if (request.may_decide) return false;
  if (!may(request.needs)) return t.inbox.mayNot(request.needs);
  const { refusals } = t.inbox;
  const isAsker = request.asked_by_actor?.id === person.id;
  const why =
    request.four_eyes && !request.waiting_for?.people.some(({ id }) => id === person.id)
      ? isAsker
        ? refusals.asked
        : request.waiting_for?.named
          ? refusals.notNamed
          : refusals.tookPart
      : request.waiting_for?.named
        ? refusals.notNamed
        : refusals.notYours;
  return `${why} ${names ? refusals.somebodyElse(names) : refusals.nobody}`;
}

/** The notice above the buttons of a request that the reader may not decide. */
export const RefusedNotice = ({ text }: { text: string }) => (
  <p className="flex gap-2.5 rounded-2 bg-warn-soft px-3 py-2.5 text-label text-text">
    <LockKeyhole size={15} aria-hidden className="mt-0.5 flex-none text-warn" />
    <span className="min-w-0 break-words">{text}</span>
  </p>
);

/** Everybody whom a request waits for, and who asked: that one is listed too, locked, where it needs a second person. */
export function WaitingFor({ request }: { request: Request }) {
  const { person } = useSession();
  const { waiting_for: waiting, four_eyes, asked_by_actor: asker } = request;
  if (!waiting || request.status !== 'pending') return null;
  const isLocked = four_eyes && asker?.name && !waiting.people.some(({ id }) => id === asker.id);
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      <h4 className="text-caption font-semibold text-text-3">{words.title}</h4>
      <ul className="flex flex-wrap gap-x-4 gap-y-2">
        {waiting.people.slice(0, mostShown).map(({ id, name }) => (
          <li key={id} className="flex items-center gap-2 text-label">
            <Avatar name={name} kind="person" size={22} />
            {id === person.id ? `${name} (${words.you.toLowerCase()})` : name}
          </li>
        ))}
        {(waiting.more || waiting.people.length > mostShown) && (
          <li className="flex items-center text-label text-text-2">{words.others}</li>
        )}
        {waiting.people.length === 0 && <li className="text-label text-text-2">{words.nobody}</li>}
        {isLocked && (
          <li className="flex items-center gap-2 text-label text-text-3">
            <Avatar name={asker.name ?? ''} kind="person" size={22} />
            {causerOf(request)}
            <LockKeyhole size={13} aria-hidden />
            <span className="text-caption">{t.inbox.fourEyesRule}</span>
          </li>
        )}
      </ul>
      {waiting.groups.length > 0 && (
        <p className="text-caption text-text-3">{words.groups(waiting.groups.map(({ name }) => name).join(', '))}</p>
      )}
      {waiting.administrators && <p className="text-dense text-text-2">{words.standIns}</p>}
    </div>
  );
}
