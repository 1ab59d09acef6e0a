import type { VersionCreate, VersionDiff } from '@atrium/contract/agents/schema.ts';
import type { PageQuery } from '@atrium/contract/page.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { SecretSetting } from '../tools/ports.ts';
import type { VersionRow } from './versions/version-store.ts';

/** The agent, version and settings that a new conversation starts from. */
export interface ConversationBase {
  assistant_id: string | null;
  /** Null for a preview, which follows the draft. */
  assistant_version_id: string | null;
  text: string | null;
  settings: SparseSettings | null;
  /** The published settings of the agent, whose locks apply. */
  published: SparseSettings | null;
  /** Whether any new conversation with this agent follows this version. */
  is_published: boolean;
}

/** The part of agents that conversations need: which settings they start from, and which version that is. */
export interface AgentSettings {
  forConversation(
    scope: Scope,
    agent_id: string | undefined,
    options: { preview: boolean; assistant_version_id?: string | undefined },
  ): Promise<ConversationBase>;
  /** The settings of a version, of the published version or of the draft that were saved without variables_read. */
  restricted(
    scope: Scope,
    of: { agent_id: string; version_id?: string | null; preview?: boolean },
  ): Promise<SecretSetting[]>;
  /** A version that a conversation of this agent may be moved to. */
  version(
    tx: Db,
    scope: Scope,
    agent_id: string | null,
    id: string,
  ): Promise<{ id: string; settings: SparseSettings; is_published: boolean }>;
}

/** Settings that are about to be published. */
export interface PublishCandidate {
  agent_id: string;
  settings: SparseSettings;
  /** Those of them that were saved without variables_read. */
  restricted: readonly SecretSetting[];
  published: SparseSettings;
}

/** Checks settings before they are published. */
export interface PublishGate {
  /**
   * Refuses settings that have not passed the evaluation of their agent. Returns the reason of a caller that may publish
   * all the same, where one was needed.
   */
  requirePassed(
    tx: Db,
    scope: Scope,
    candidate: PublishCandidate,
    override_reason: string | undefined,
  ): Promise<string | undefined>;
  /** Does the work that publishes; when no run of the evaluation was there, one is started after the refusal. */
  guard<T>(scope: Scope, work: () => Promise<T>): Promise<T>;
}

/** The versions of agents. A version never changes. */
export interface AgentVersions {
  /** A page of versions, newest first. */
  list(scope: Scope, agent_id: string, page: PageQuery): Promise<VersionRow[]>;
  get(scope: Scope, agent_id: string, id: string): Promise<VersionRow>;
  /** Creates a version from the given settings, else from the draft, else from the published settings. */
  create(scope: Scope, agent_id: string, input: VersionCreate): Promise<VersionRow>;
  publish(scope: Scope, agent_id: string, id: string, override_reason?: string): Promise<VersionRow>;
  diff(scope: Scope, agent_id: string, from: string, to: string): Promise<VersionDiff>;
}
