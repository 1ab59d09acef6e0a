import { methodAndPath, type Operation } from '@atrium/contract/operation.ts';
import type { Database } from '../../db/database.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import type { ChangeNote, Scope } from '../../lib/scope.ts';
import { describeBody, describeChange } from './describe-change.ts';
import { createdTarget, targetsInPath } from './operation-targets.ts';
import type { AuditTrail, RequestOrigin } from './ports.ts';
import * as store from './store.ts';

export const shortAgent = (user_agent: string | undefined) => user_agent?.slice(0, 300) ?? null;

/** The workspace that an operation changes; null: the organization. */
function workspaceOf(operation: Operation, params: unknown, scope: Scope): string | null {
  const { group_id } = fieldsOf(params);
  if (typeof group_id === 'string') return group_id;
  const isOfOrganization = /^\/v1\/(admin|auth)\//.test(methodAndPath(operation).path);
  return isOfOrganization || scope.workspace_id === '' ? null : scope.workspace_id;
}

function targetOf(operation: Operation, params: unknown, note: ChangeNote, result: unknown) {
  const named = targetsInPath(operation, params);
  const own = note.target ?? createdTarget(operation, result);
  const target = own ?? named.at(-1);
  const parent = named.filter(({ id, kind }) => id !== target?.id && kind !== 'workspace').at(-1);
  return {
    target_kind: target?.kind ?? null,
    target_id: target?.id ?? null,
    parent_kind: parent?.kind ?? null,
    parent_id: parent?.id ?? null,
  };
}

interface RecordedRequest {
  scope: Scope;
  operation: Operation;
  input: { params: unknown; body: unknown };
  origin: RequestOrigin;
}

/** Who acts: the caller, or the person whom the request signs in. */
function actorOf({ actor, person_id, session_id }: Scope, note: ChangeNote) {
  if (!note.person) {
    const isNobody = actor.id === '';
    return {
      ...{ actor_kind: isNobody ? 'nobody' : actor.kind, actor_id: actor.id, actor_name: isNobody ? '' : actor.name },
      ...{ person_id: person_id ?? null, session_id: session_id ?? null },
    };
  }
  const { id, name = '' } = note.person;
  return {
    ...{ actor_kind: 'person', actor_id: id, actor_name: name },
    ...{ person_id: id, session_id: note.session_id ?? session_id ?? null },
  };
}

function makeRow({ scope, operation, input, origin }: RecordedRequest, note: ChangeNote, result: unknown) {
  const { actor_name, ...actor } = actorOf(scope, note);
  const isNoted = note.before !== undefined || note.after !== undefined;
  const change = isNoted
    ? describeChange(note.before, note.after, note.hidden)
    : { before: null, after: describeBody(input.body) };
  const row: store.NewAuditRow = {
    tenant_id: note.tenant_id ?? scope.tenant_id,
    workspace_id: note.workspace_id === undefined ? workspaceOf(operation, input.params, scope) : note.workspace_id,
    ...{ operation: operation.id, outcome: 'done', reason: null, ...actor },
    ...targetOf(operation, input.params, note, result),
    ...change,
    ...{ address: origin.address, user_agent: shortAgent(origin.user_agent), request_id: origin.request_id },
    ...{ count: 1, first_at: null, last_at: null },
  };
  return { row, actor_name };
}

export interface RecorderDeps {
  db: Database;
  /** The organization of requests that no account is known for. */
  home_tenant_id: string;
  /** A row was committed. */
  onCommit(): void;
}

/** Makes the recorders of requests. They share what they know of names that are stored already. */
export function makeRecorders({ db, home_tenant_id, onCommit }: RecorderDeps): Pick<AuditTrail, 'begin'> {
  const storedNames = new LruCache<string, string>({ max: 10_000 });
  const keyOf = ({ tenant_id, kind, id }: store.AuditName) => `${tenant_id} ${kind} ${id}`;

  function newNames(row: store.NewAuditRow, actor_name: string, note: ChangeNote): store.AuditName[] {
    const { tenant_id } = row;
    const names = new Map<string, store.AuditName>();
    const add = (kind: string, id: string, name: string | null | undefined) => {
      const entry = { tenant_id, kind, id, name: name?.slice(0, 300).toWellFormed() ?? '' };
      if (entry.name && storedNames.get(keyOf(entry)) !== entry.name) names.set(keyOf(entry), entry);
    };
    add(row.actor_kind, row.actor_id, actor_name);
    if (note.target) add(note.target.kind, note.target.id, note.target.name);
    return [...names.values()];
  }

  return {
    begin(scope, operation, input, origin) {
      let note: ChangeNote = {};
      let isDone = false;
      let storing: store.AuditName[] | undefined;
      const storeRow = async (run: (text: string, values: unknown[]) => Promise<unknown>, result: unknown) => {
        const filled = { ...note, tenant_id: note.tenant_id ?? (scope.tenant_id || home_tenant_id) };
        const { row, actor_name } = makeRow({ scope, operation, input, origin }, filled, result);
        const names = newNames(row, actor_name, filled);
        if (names.length) {
          const statement = store.putNamesStatement(names);
          await run(statement.text, statement.values);
        }
        const { text, values } = store.insertRowStatement(row);
        await run(text, values);
        storing = names;
      };
      const committed = () => {
        if (isDone || !storing) return;
        isDone = true;
        for (const entry of storing) storedNames.set(keyOf(entry), entry.name);
        onCommit();
      };
      return {
        note(more) {
          note = { ...note, ...more };
        },
        get isPending() {
          return !isDone;
        },
        get person() {
          const { tenant_id, person } = note;
          return tenant_id && person ? { tenant_id, person_id: person.id } : undefined;
        },
        store: storeRow,
        committed,
        async finish(result) {
          if (isDone) return;
          await store.runStatements(db, (run) => storeRow(run, result));
          committed();
        },
      };
    },
  };
}
