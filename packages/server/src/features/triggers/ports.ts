import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { Paged, PageQuery } from '@atrium/contract/page.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type {
  ChannelTriggerCreate,
  ChannelType,
  SchedulePreview,
  SchedulePreviewBody,
  Trigger,
  TriggerCreate,
  TriggerPatch,
  WorkspaceTriggersQuery,
} from '@atrium/contract/triggers/schema.ts';
import type { Scope } from '../../lib/scope.ts';
import type { TriggerRow } from './store.ts';

export type TargetKind = 'workflow' | 'agent';

export interface TargetStart {
  target_id: string;
  /** The pinned version; null: the newest. */
  version_id: string | null;
  input: Record<string, unknown>;
  /** The input as a message, for agents. */
  text: string;
  /** The taint of the text. */
  brings: readonly Taint[];
  /** The name of the conversation, where the target has one. */
  name: string;
  /** A UUID. A second start with the same key returns the run of the first, also after a crash in between. */
  key: string;
}

/** A kind of record that triggers can start. Each feature that can be started implements one. */
export interface TriggerTarget {
  kind: TargetKind;
  /** Whether the record exists and is not deleted. */
  exists(scope: Scope, id: string): Promise<boolean>;
  hasVersion(scope: Scope, id: string, version_id: string): Promise<boolean>;
  /** The names of the values that a run needs and that these do not give; undefined for a target that needs none. */
  missingInputs?(
    scope: Scope,
    target: { target_id: string; version_id: string | null },
    input: Readonly<Record<string, unknown>>,
  ): Promise<string[]>;
  /** Returns the id of the run. */
  start(scope: Scope, start: TargetStart): Promise<string>;
}

export interface Triggers {
  find(scope: Scope, id: string, verb: 'run' | 'edit'): Promise<TriggerRow>;
  list(
    scope: Scope,
    target_kind: TargetKind,
    target_id: string,
    query: PageQuery & ListFilter,
  ): Promise<Paged<Trigger>>;
  /** The triggers of all agents and workflows whose kind the caller may run. */
  listOfWorkspace(scope: Scope, query: WorkspaceTriggersQuery): Promise<Paged<Trigger>>;
  preview(body: SchedulePreviewBody): SchedulePreview;
  all(scope: Scope, target_kind: TargetKind, target_id: string): Promise<Trigger[]>;
  create(scope: Scope, target_kind: TargetKind, target_id: string, input: TriggerCreate): Promise<Trigger>;
  /** Adds a filter for the messages of a chat service; the channel asks `chooses` for each message. */
  createForChannel(scope: Scope, target_id: string, type: ChannelType, given: ChannelTriggerCreate): Promise<Trigger>;
  /** Whether a message of a chat service reaches an agent; an agent without triggers for the service gets all of them. */
  chooses(
    workspace_id: string,
    agent_id: string,
    type: ChannelType,
    message: { team_id: string; channel: string; text: string },
  ): Promise<boolean>;
  get(scope: Scope, id: string): Promise<Trigger>;
  /** From then on the trigger belongs to the caller and its runs act for the caller, so that its input never runs with the permissions of another caller. */
  update(scope: Scope, id: string, patch: TriggerPatch): Promise<Trigger>;
  /** Makes the caller the owner, and changes nothing else. */
  takeOver(scope: Scope, id: string): Promise<Trigger>;
  remove(scope: Scope, id: string): Promise<void>;
  /** Stores a trigger of an archive, switched off and without a secret. */
  restore(scope: Scope, trigger: RestoredTrigger): Promise<void>;
}

export type RestoredTrigger = Pick<
  TriggerRow,
  'id' | 'name' | 'target_kind' | 'target_id' | 'version_id' | 'definition'
>;
